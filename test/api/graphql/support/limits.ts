import type { Endpoint, GraphqlResult } from './endpoint.js';

/** What is expected of a request that is refused before it costs anything. */
export const REFUSED = { status: 400, statements: 0 };

/** The parts of a result that tell why it was refused. */
export const errorSummaryOf = ({ status, statements, body }: GraphqlResult) => ({
  status,
  statements,
  message: body.errors?.[0]?.message,
  code: body.errors?.[0]?.extensions['code'],
});

/** A selection with that many aliases. */
export const aliases = (count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ');

/** Sends a list of operations in one request. */
export const sendBatch = (endpoint: Endpoint, operations: unknown): Promise<GraphqlResult> =>
  endpoint.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: 'full', 'content-type': 'application/json' },
    payload: JSON.stringify(operations),
  });
