import { CopyButton } from './copy-button'
import styles from './markdown.module.css'

interface CodeBlockProps {
  code: string
  language: string
}

export function CodeBlock({ code, language }: CodeBlockProps) {
  return (
    <div className={styles.code}>
      <div className={styles.codeHead}>
        <span>{language}</span>
        <CopyButton text={code} />
      </div>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  )
}
