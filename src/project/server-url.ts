import type { Config } from '../config/config.js';

/**
 * Returns the URL of a server, such as `http://127.0.0.1:1337`. A server that listens on all addresses is
 * given as localhost.
 */
export function serverUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' || host === '' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns the URL by which clients know the server: the stated one, or else host and port. */
export function publicUrl({ server: { url, host, port } }: Pick<Config, 'server'>): string {
  return url || serverUrl(host, port);
}

/** Returns the path below which a proxy serves the server, `/cms`; mostly there is none. */
export function publicPathOf({ url = '' }: Pick<Config['server'], 'url'>): string {
  return url === '' ? '' : new URL(url).pathname.replace(/\/$/, '');
}
