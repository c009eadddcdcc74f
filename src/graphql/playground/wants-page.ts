import type { FastifyRequest } from 'fastify';

const ANSWERS = ['application/json', 'application/graphql-response+json'];

/** What of an operation comes with a GET request; a document may also be named by its digest, in `extensions`. */
const OPERATION_PARAMETERS = ['query', 'operationName', 'variables', 'extensions'];

/** How much a media type is wanted that the client names itself: 0 to 1. Wildcards name nothing. */
const qualityOf = (accept: string, type: string): number => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type);
  if (range === undefined) return 0;
  const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
  return quality === undefined ? 1 : Number(quality);
};

/** Whether somebody opens the endpoint in a browser, rather than that a program asks it something. */
export function wantsPage({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  const { accept = '' } = headers;
  const html = qualityOf(accept, 'text/html');
  if (html === 0 || ANSWERS.some((type) => qualityOf(accept, type) >= html)) return false;
  const parameters = new URLSearchParams(raw.url?.split('?')[1] ?? '');
  return !OPERATION_PARAMETERS.some((name) => parameters.has(name));
}
