import { createRequire } from 'node:module';

/** The package that the playground is. */
export interface Altair {
  readonly version: string;
  /** Folder of the files its page loads. */
  readonly directory: string;
  /**
   * Its page as HTML.
   *
   * @param assets where its files are, seen from the page; ends with a slash
   * @param options address of the script that starts it, seen from its files
   */
  readonly printPage: (assets: string, options: string) => string;
}

const versionOf = (manifest: unknown): string => (manifest as { readonly version: string }).version;

/** Loads the package, which servers that nobody opens in a browser never need. */
export async function loadAltair(): Promise<Altair> {
  const { getDistDirectory, renderAltair } = await import('altair-static');
  const version = versionOf(createRequire(import.meta.url)('altair-static/package.json'));
  return {
    version,
    directory: getDistDirectory(),
    printPage: (assets, options) => renderAltair({ baseURL: assets, serveInitialOptionsInSeperateRequest: options }),
  };
}
