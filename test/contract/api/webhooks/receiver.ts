import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a receiver of webhooks got it. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A real HTTP server that is told how to answer. */
export interface Receiver {
  readonly url: string;
  readonly received: ReceivedRequest[];
  answer: (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;
  readonly close: () => Promise<void>;
}

export const accept: Receiver['answer'] = (_request, response) => void response.end('thanks');

export async function openReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const json = JSON.parse(body === '' ? '{}' : body) as ReceivedRequest['json'];
    const got = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      json,
    };
    received.push(got);
    await receiver.answer(got, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: accept,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
