/** The ceiling as a process of its own: `ceiling-server.ts <database file> <port>`. */
import Database from 'better-sqlite3';
import fastify from 'fastify';
import type { FastifyReply } from 'fastify';
import { BASELINE_STATEMENTS } from './baseline-statements.js';

const [file = '', port = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const prepare = (sql: string): Database.Statement => database.prepare(sql).pluck();
const statements = Object.fromEntries(
  Object.entries(BASELINE_STATEMENTS).map(([name, sql]) => [name, prepare(sql)]),
) as Record<keyof typeof BASELINE_STATEMENTS, Database.Statement>;

const app = fastify();
const send = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(text);
const page = (rows: readonly unknown[], total: number | null): string => {
  const counts = total === null ? '' : `,"pageCount":${Math.ceil(total / 25)},"total":${total}`;
  return `{"data":[${rows.join(',')}],"meta":{"pagination":{"page":1,"pageSize":25${counts}}}}`;
};

const listStatement = (url: string): readonly [Database.Statement, ...unknown[]] => {
  if (url.includes('populate=*')) return [statements.everything];
  if (url.includes('populate[author]')) return [statements.deep];
  if (url.includes('populate[0]')) return [statements.twoRelations];
  if (url.includes('filters[author]')) return [statements.filtered, 'Author 7'];
  return [url.includes('sort=title') ? statements.sorted : statements.listed];
};

app.get('/_health', (_request, reply) => reply.code(204).send());
app.get<{ Params: { id: string } }>('/api/articles/:id', (request, reply) =>
  send(reply, `{"data":${String(statements.one.get(request.params.id))},"meta":{}}`),
);
app.get('/api/articles', (request, reply) => {
  const url = decodeURIComponent(request.url);
  const [statement, ...parameters] = listStatement(url);
  const total = url.includes('withCount') ? null : Number(statements.count.get());
  return send(reply, page(statement.all(...parameters), total));
});

await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => {
  void app.close();
});
