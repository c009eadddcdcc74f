const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** `fr` → `French (fr)`; undefined for what is no known language. */
export function localeName(code: string): string | undefined {
  try {
    const language = LANGUAGES.of(code);
    return language === undefined ? undefined : `${language} (${code})`;
  } catch {
    return undefined;
  }
}
