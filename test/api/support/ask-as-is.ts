import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';

/** A request. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In the parts in which it is sent. */
  readonly body?: readonly string[];
}

/** An answer. */
export interface Received {
  readonly status: number | undefined;
  /** Names and values by turns, as they came. */
  readonly headers: readonly string[];
  readonly body: string;
}

const receive = async (response: IncomingMessage): Promise<Received> => {
  let body = '';
  for await (const part of response.setEncoding('utf8')) body += String(part);
  return { status: response.statusCode, headers: response.rawHeaders, body };
};

/** Sends a request over a connection of its own. */
export function askAsIs(
  port: number,
  { method = 'GET', path, headers = {}, body = [] }: Sent,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body.length === 0 ? {} : { 'content-length': Buffer.byteLength(body.join('')) };
    const options = { port, method, path, headers: { ...headers, ...length } };
    const outgoing = httpRequest(options, (response) => resolve(receive(response)));
    outgoing.on('error', reject);
    const [first = '', ...others] = body;
    outgoing.write(first, () => outgoing.end(others.join('')));
  });
}

/** The first of a name, as it was spelled. */
export function headerOf({ headers }: Received, name: string): string | undefined {
  return headers[headers.indexOf(name) + 1 || headers.length];
}
