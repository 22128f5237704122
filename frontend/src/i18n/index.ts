/** The page's words in Chinese and English: the browser's language decides, until the reader chooses. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './en.json'
import zh from './zh.json'

const KEY = 'docmind.language'
export type Language = 'en' | 'zh'

function saved(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function browserLanguage(): Language {
  return (navigator.languages ?? [navigator.language]).find((name) => /^(zh|en)/i.test(name))?.startsWith('zh')
    ? 'zh'
    : 'en'
}

/** 'auto' follows the browser. */
export function chosenLanguage(): Language | 'auto' {
  const choice = saved()
  return choice === 'zh' || choice === 'en' ? choice : 'auto'
}

export function chooseLanguage(choice: Language | 'auto'): void {
  if (choice === 'auto') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, choice)
  void i18next.changeLanguage(choice === 'auto' ? browserLanguage() : choice)
}

function tellPage(language: string): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}

const choice = chosenLanguage()
i18next.on('languageChanged', tellPage)
void i18next.use(initReactI18next).init({
  resources: { en: { translation: en }, zh: { translation: zh } },
  lng: choice === 'auto' ? browserLanguage() : choice,
  fallbackLng: 'en',
  interpolation: { escapeValue: false },
  initAsync: false,
})

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
  }
}
