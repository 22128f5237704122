import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createChat, getConversation, type Question, startRun } from '@/api/chats'
import { keys } from '@/api/query-keys'

interface Asked {
  chatId: string
  runId: string
}

/** Ask in a conversation, or begin one. */
export function useAsk(chatId: string | null, onAsked: (asked: Asked) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (question: Question): Promise<Asked> => {
      const id = chatId ?? (await createChat()).id
      const { run_id: runId } = await startRun(id, question)
      // The new branch is in the store before the answer is: the conversation is read again, not guessed.
      await queries.fetchQuery({
        queryKey: keys.chat(id),
        queryFn: ({ signal }) => getConversation(id, signal),
        staleTime: 0,
      })
      return { chatId: id, runId }
    },
    onSuccess: (asked) => {
      onAsked(asked)
      void queries.invalidateQueries({ queryKey: ['chats', 'list'] })
    },
  })
}
