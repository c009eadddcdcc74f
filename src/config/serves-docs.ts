import type { Config } from './config.js';

/** True if the server shows its API's reference, with the OpenAPI document, to everybody. */
export function servesDocs({ docs, environment }: Pick<Config, 'docs' | 'environment'>): boolean {
  return docs === 'always' || (docs === 'development' && environment === 'development');
}
