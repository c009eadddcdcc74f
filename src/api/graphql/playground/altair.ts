import { createRequire } from 'node:module';

/** Altair, the package that contains the playground. */
export interface Altair {
  readonly version: string;
  /** Folder of the files that the page loads. */
  readonly directory: string;
  /**
   * Prints the page as HTML.
   *
   * @param assets path of its files, relative to the page; ends with a slash
   * @param options path of the script that starts it, relative to its files
   */
  readonly printPage: (assets: string, options: string) => string;
}

const versionOf = (manifest: unknown): string => (manifest as { readonly version: string }).version;

/** Loads the package, when the playground is first opened. */
export async function loadAltair(): Promise<Altair> {
  const { getDistDirectory, renderAltair } = await import('altair-static');
  const version = versionOf(createRequire(import.meta.url)('altair-static/package.json'));
  return {
    version,
    directory: getDistDirectory(),
    printPage: (assets, options) =>
      renderAltair({ baseURL: assets, serveInitialOptionsInSeperateRequest: options }),
  };
}
