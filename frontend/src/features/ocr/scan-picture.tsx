import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScanPage } from '@/api/ocr'
import styles from './scan-sheet.module.css'

interface ScanPictureProps {
  page: ScanPage
  pointed: number | null
  onPoint: (word: number | null) => void
}

const UNSURE = 0.75

/** The picture and the words' boxes over it. The text beside it says the same to those who do not see it. */
export function ScanPicture({ page, pointed, onPoint }: ScanPictureProps) {
  const { t } = useTranslation()
  const word = pointed === null ? undefined : page.words[pointed]
  return (
    <div
      className={styles.picture}
      style={{
        aspectRatio: `${page.width_pt} / ${page.height_pt}`,
        maxWidth: `calc(84vh * ${page.width_pt / page.height_pt})`,
      }}
    >
      {page.picture && <img src={page.picture} alt={t('ocr.picture', { page: page.number })} />}
      <svg viewBox={`0 0 ${page.width_pt} ${page.height_pt}`} preserveAspectRatio="none" aria-hidden="true">
        <Boxes page={page} onPoint={onPoint} />
        {word && (
          <rect
            className={styles.pointed}
            x={word.box.left}
            y={word.box.top}
            width={word.box.right - word.box.left}
            height={word.box.bottom - word.box.top}
          />
        )}
      </svg>
    </div>
  )
}

type BoxesProps = Omit<ScanPictureProps, 'pointed'>

const Boxes = memo(function Boxes({ page, onPoint }: BoxesProps) {
  return (
    <g onPointerLeave={() => onPoint(null)}>
      {page.words.map(({ box, confidence, start }, index) => (
        <rect
          key={start}
          className={styles.box}
          data-unsure={confidence < UNSURE || undefined}
          x={box.left}
          y={box.top}
          width={box.right - box.left}
          height={box.bottom - box.top}
          onPointerEnter={() => onPoint(index)}
        />
      ))}
    </g>
  )
})
