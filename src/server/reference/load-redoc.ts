import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Redoc, the script that draws the reference. */
export interface Redoc {
  readonly script: Buffer;
  /** The same for the same script. */
  readonly digest: string;
}

/** The build copies the script to this place. */
const COPY = new URL('./redoc/redoc.standalone.js', import.meta.url);

const readScript = async (): Promise<string> => {
  try {
    return await readFile(COPY, 'utf8');
  } catch {
    return readFile(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  }
};

/**
 * The logo below the menu comes from another server, and hides itself where it cannot be loaded. The source
 * map is not part of this package.
 */
const withoutRequests = (script: string): string =>
  script
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');

/** Loads Redoc, which is large: when the page is first opened. */
export async function loadRedoc(): Promise<Redoc> {
  const script = Buffer.from(withoutRequests(await readScript()));
  return { script, digest: createHash('sha256').update(script).digest('hex').slice(0, 16) };
}
