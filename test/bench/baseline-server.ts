/**
 * The ceiling as a process: `baseline-server.ts <database url> <size> <port> [plugins]`. It knows the
 * measured requests beforehand. `/constant` returns the text that was put there: the ceiling of cached
 * responses. With `plugins`, its responses have the headers of Galley's: security, CORS and request id.
 */
import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import fastify from 'fastify';
import type { FastifyReply } from 'fastify';
import { openBaseline } from './baseline-queries.js';
import { comparedScenarios } from './scenarios.js';

const [url = '', size = '', port = '', plugins] = process.argv.slice(2);
const { run } = openBaseline(url);
const ceilings = new Map(comparedScenarios(Number(size)).map(({ path, ceiling }) => [path, ceiling]));

const app = fastify(plugins === undefined ? {} : { genReqId: () => randomUUID() });
if (plugins !== undefined) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  await app.register(helmet);
  await app.register(cors, { origin: '*', exposedHeaders: ['x-request-id', 'retry-after'] });
}
const send = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(text);
const page = (path: string, rows: readonly unknown[], total: number | null): string => {
  const counts = total === null ? '' : `,"pageCount":${Math.ceil(total / 25)},"total":${total}`;
  const number = /pagination\[page\]=(\d+)/.exec(path)?.[1] ?? '1';
  return `{"data":[${rows.join(',')}],"meta":{"pagination":{"page":${number},"pageSize":25${counts}}}}`;
};

app.get('/_health', (_request, reply) => reply.code(204).send());

app.get<{ Params: { id: string } }>('/api/articles/:id', async (request, reply) => {
  const [text] = await run('one', [request.params.id]);
  return send(reply, `{"data":${String(text)},"meta":{}}`);
});

app.get('/api/articles', async (request, reply) => {
  const path = decodeURIComponent(request.url);
  const ceiling = ceilings.get(path);
  if (ceiling === undefined) return reply.code(404).send();
  const [rows, counts] = await Promise.all([
    run(ceiling.statement, ceiling.parameters ?? []),
    ceiling.isCounted === true ? run('count', []) : null,
  ]);
  const ordered = ceiling.isReversed === true ? rows.toReversed() : rows;
  return send(reply, page(path, ordered, counts === null ? null : Number(counts[0])));
});

let constant = '';
app.put<{ Body: { text: string } }>('/constant', (request, reply) => {
  constant = request.body.text;
  return reply.code(204).send();
});
app.get('/constant', (_request, reply) => send(reply, constant));
app.post('/constant', (_request, reply) => send(reply, constant));

await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => {
  void app.close();
});
