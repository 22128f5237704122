/** One name for a document everywhere: its title where it has a telling one, else its file's name. */
import { shortName } from './citation-marks'

/** What programs write into the title of a file when nobody gave it one. */
const TELLS_NOTHING =
  /^(untitled|no title|title|document\d*|slide \d+|powerpoint presentation|presentation\d*|microsoft (word|powerpoint|excel) - .*|.*\.(docx?|pptx?|xlsx?|dvi|tex|indd|qxd|pdf|rtf|fm|wpd|odt)|未命名|无标题|标题)$/i

export interface Named {
  title: string
  name: string
}

/** The title, or "" when there is none that tells anything. */
export function ownTitle({ title, name }: Named): string {
  const words = title.replace(/\s+/g, ' ').trim()
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  return letters < 2 || TELLS_NOTHING.test(words) || words === name ? '' : words
}

export function titleOf(document: Named): string {
  return ownTitle(document) || shortName(document.name, 160)
}
