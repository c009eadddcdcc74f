const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns `French (fr)` for `fr`, or undefined for an unknown language. */
export function localeName(code: string): string | undefined {
  try {
    const language = LANGUAGES.of(code);
    return language === undefined ? undefined : `${language} (${code})`;
  } catch {
    return undefined;
  }
}
