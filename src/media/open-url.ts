import { Readable } from 'node:stream';

/** Opens what an address answers. */
export async function openUrl(url: string): Promise<Readable> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new TypeError(`${url} answers ${response.status}.`);
  return Readable.fromWeb(response.body);
}
