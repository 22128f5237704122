/** A whole conversation as a Markdown file. */
import { type Conversation, getConversation } from '@/api/chats'
import { asMarkdown } from './as-markdown'
import { turnsOf } from './turns'

export function conversationMarkdown({ chat, messages }: Conversation, references: string): string {
  const turns = turnsOf(messages, null).map(({ question, answer }) => {
    const asked = question.text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')
    // Footnotes are numbered within an answer, so each answer's get a name of their own.
    const answered = answer ? asMarkdown(answer.text, answer.citations, references, answer.id.slice(0, 6)) : ''
    return `${asked}\n\n${answered.trim()}`
  })
  return `# ${chat.title}\n\n${turns.join('\n\n---\n\n')}\n`
}

export async function downloadConversation(id: string, references: string): Promise<void> {
  const conversation = await getConversation(id)
  const text = conversationMarkdown(conversation, references)
  const url = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${conversation.chat.title.replace(/[\\/:*?"<>|]/g, ' ').trim() || 'conversation'}.md`
  link.click()
  URL.revokeObjectURL(url)
}
