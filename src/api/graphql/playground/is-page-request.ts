import type { FastifyRequest } from 'fastify';

const RESPONSE_TYPES = ['application/json', 'application/graphql-response+json'];

/** Parameters that a GET request of an operation has. `extensions` may name a persisted document. */
const OPERATION_PARAMETERS = ['query', 'operationName', 'variables', 'extensions'];

/** The quality of a media type in an Accept header, from 0 to 1. Wildcards do not count. */
const qualityOf = (accept: string, type: string): number => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type);
  if (range === undefined) return 0;
  const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
  return quality === undefined ? 1 : Number(quality);
};

/** True if a browser opens the endpoint as a page; otherwise a client sends an operation. */
export function isPageRequest({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  const { accept = '' } = headers;
  const html = qualityOf(accept, 'text/html');
  if (html === 0 || RESPONSE_TYPES.some((type) => qualityOf(accept, type) >= html)) return false;
  const parameters = new URLSearchParams(raw.url?.split('?')[1] ?? '');
  return !OPERATION_PARAMETERS.some((name) => parameters.has(name));
}
