import { BadgeCheck, Lock, WifiOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHealth, useServerSettings } from '@/api/server'
import { CopyButton } from '@/components/copy-button'
import { Segments } from '@/components/segments'
import { ProblemNote, Waiting } from '@/components/states'
import { chooseLanguage, chosenLanguage, type Language } from '@/i18n'
import { asProblem } from '@/lib/problems'
import { chooseTheme, chosenTheme, THEMES } from '@/lib/theme'
import styles from './settings-page.module.css'

const LANGUAGES = ['auto', 'en', 'zh'] as const
const ENV_EXAMPLE = 'LLM_BASE_URL=https://api.deepseek.com/v1\nLLM_API_KEY=…\nLLM_MODEL=deepseek-chat'

export function SettingsPage() {
  const { t } = useTranslation()
  const [theme, setTheme] = useState(chosenTheme)
  const [language, setLanguage] = useState(chosenLanguage)
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h1>{t('nav.settings')}</h1>
        <Section title={t('settings.look')}>
          <Row label={t('settings.theme')}>
            <Segments
              label={t('settings.theme')}
              value={theme}
              options={THEMES.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
              onChange={(next) => {
                setTheme(next)
                chooseTheme(next)
              }}
            />
          </Row>
          <Row label={t('settings.language')}>
            <Segments
              label={t('settings.language')}
              value={language}
              options={LANGUAGES.map((value) => ({ value, label: t(`settings.languages.${value}`) }))}
              onChange={(next: Language | 'auto') => {
                setLanguage(next)
                chooseLanguage(next)
              }}
            />
          </Row>
        </Section>
        <ModelSection />
        <ServerSection />
      </div>
    </div>
  )
}

interface SectionProps {
  title: string
  hint?: string
  children: ReactNode
}

function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      <div className={styles.card}>{children}</div>
    </section>
  )
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span>{label}</span>
      {children}
    </div>
  )
}

function ModelSection() {
  const { t } = useTranslation()
  const health = useHealth()
  return (
    <Section title={t('settings.model')}>
      {health.isPending && <Waiting />}
      {health.isError && <ProblemNote problem={asProblem(health.error)} onRetry={() => health.refetch()} />}
      {health.isSuccess &&
        (health.data.model.configured ? (
          <p className={styles.model}>
            <BadgeCheck size={18} aria-hidden="true" />
            <span>
              <strong>{health.data.model.name}</strong> {t('settings.modelSet')}
            </span>
          </p>
        ) : (
          <div className={styles.noModel}>
            <p className={styles.model}>
              <WifiOff size={18} aria-hidden="true" />
              <span>
                <strong>{t('settings.noModel')}</strong> {t('settings.noModelHint')}
              </span>
            </p>
            <div className={styles.env}>
              <pre>{ENV_EXAMPLE}</pre>
              <CopyButton text={ENV_EXAMPLE} />
            </div>
          </div>
        ))}
    </Section>
  )
}

function ServerSection() {
  const { t } = useTranslation()
  const settings = useServerSettings()
  return (
    <Section title={t('settings.server')} hint={t('settings.serverHint')}>
      {settings.isPending && <Waiting />}
      {settings.isError && <ProblemNote problem={asProblem(settings.error)} onRetry={() => settings.refetch()} />}
      {settings.isSuccess && settings.data.length === 0 && <p className={styles.model}>{t('settings.nothingSet')}</p>}
      {settings.isSuccess && settings.data.length > 0 && (
        <dl className={styles.list}>
          {settings.data.map((setting) => (
            <div key={setting.name}>
              <dt>{setting.name}</dt>
              <dd>
                {setting.secret && <Lock size={13} aria-hidden="true" />}
                <span className={styles.value}>{setting.value || '–'}</span>
                <span className={styles.source} data-source={setting.source}>
                  {t(`settings.source.${setting.source}`)}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}
