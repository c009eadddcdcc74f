/** The parts of the package `xliff` in use, which has no types. */
declare module 'xliff/js2xliff' {
  interface Unit {
    readonly source: string;
    readonly target?: string;
    readonly note?: string;
    readonly additionalAttributes?: Readonly<Record<string, string>>;
  }

  interface Translations {
    readonly sourceLanguage: string;
    readonly targetLanguage: string;
    /** Units by their id, by the id of their file. */
    readonly resources: Readonly<Record<string, Readonly<Record<string, Unit>>>>;
  }

  export default function js2xliff(
    translations: Translations,
    options: { readonly indent: string },
  ): Promise<string>;
}

declare module 'xliff/xliff2js' {
  export default function xliff2js(text: string, options: object): Promise<unknown>;
}
