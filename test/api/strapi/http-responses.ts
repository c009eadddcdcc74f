/** The body of an error response. */
export const error = (status: number, name: string, message: string, details: unknown = {}): unknown => ({
  data: null,
  error: { status, name, message, details },
});

export const NOT_FOUND = error(404, 'NotFoundError', 'Not Found');
export const FORBIDDEN = error(403, 'ForbiddenError', 'Forbidden');
export const POLICY_FAILED = error(403, 'PolicyError', 'Policy Failed');
const INTERNAL = {
  data: null,
  error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
};

/** The body of an error that states no details. */
const thrown = (status: number, name: string, message: string): unknown => ({
  data: null,
  error: { status, name, message },
});
const TEXT = 'text/plain; charset=utf-8';

interface Response {
  readonly kind: string;
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
}

/** What Strapi 5.44 answers where a controller responds in one of its ways. */
export const RESPONSES: readonly Response[] = [
  { kind: 'send', status: 202, body: { ok: true } },
  { kind: 'created', status: 201, body: { id: 1 } },
  { kind: 'deleted', status: 204, body: '' },
  { kind: 'badRequest', status: 400, body: error(400, 'BadRequestError', 'Bad thing', { field: 'a' }) },
  { kind: 'unauthorized', status: 401, body: error(401, 'UnauthorizedError', 'Unauthorized') },
  { kind: 'forbidden', status: 403, body: error(403, 'ForbiddenError', 'No') },
  { kind: 'notFound', status: 404, body: NOT_FOUND },
  { kind: 'tooManyRequests', status: 429, body: error(429, 'TooManyRequestsError', 'Slow down') },
  { kind: 'imATeapot', status: 418, body: error(418, 'ImATeapotError', "I'm a Teapot") },
  { kind: 'internalServerError', status: 500, body: error(500, 'InternalServerError', 'Broken') },
  { kind: 'throw', status: 422, body: error(422, 'UnprocessableEntityError', 'Cannot', { why: 1 }) },
  { kind: 'throw-500', status: 500, body: INTERNAL },
  { kind: 'error', status: 500, body: INTERNAL },
  { kind: 'application', status: 400, body: error(400, 'ApplicationError', 'App', { a: 1 }) },
  { kind: 'validation', status: 400, body: error(400, 'ValidationError', 'Val', { errors: [] }) },
  { kind: 'not-found-error', status: 404, body: error(404, 'NotFoundError', 'Gone') },
  { kind: 'forbidden-error', status: 403, body: FORBIDDEN },
  { kind: 'rate-limit', status: 429, body: error(429, 'RateLimitError', 'Slow', { retry: 1 }) },
  { kind: 'text', status: 200, body: 'plain', type: 'text/plain; charset=utf-8' },
  { kind: 'html', status: 200, body: '<p>hi</p>', type: 'text/html; charset=utf-8' },
  { kind: 'typed', status: 200, body: 'a,b', type: 'text/csv; charset=utf-8' },
  { kind: 'buffer', status: 200, body: 'bytes', type: 'application/octet-stream' },
  { kind: 'stream', status: 200, body: 'stream', type: 'text/plain' },
  { kind: 'redirect', status: 302, body: 'Redirecting to /elsewhere.' },
  { kind: 'attachment', status: 200, body: 'x', type: 'text/csv; charset=utf-8' },
  { kind: 'cookie', status: 200, body: { had: '1' } },
  { kind: 'status', status: 204, body: '' },
  { kind: 'nothing', status: 404, body: NOT_FOUND },
  { kind: 'null', status: 204, body: '' },
  { kind: 'number', status: 200, body: 5 },
  { kind: 'list', status: 200, body: [1, 2] },
  // A status alone is answered with its text.
  { kind: 'status-401', status: 401, body: 'Unauthorized', type: TEXT },
  { kind: 'status-202', status: 202, body: 'Accepted', type: TEXT },
  { kind: 'status-299', status: 299, body: '299', type: TEXT },
  { kind: 'status-304', status: 304, body: '' },
  { kind: 'message', status: 410, body: 'Moved out', type: TEXT },
  { kind: 'null-200', status: 200, body: '' },
  { kind: 'undefined', status: 204, body: '' },
  { kind: 'empty-text', status: 200, body: '', type: TEXT },
  { kind: 'false', status: 200, body: false },
  { kind: 'throw-200', status: 200, body: thrown(200, 'Error', 'ignored') },
  { kind: 'throw-204', status: 204, body: '' },
  { kind: 'throw-302', status: 302, body: thrown(302, 'Error', 'Found') },
  { kind: 'throw-known', status: 200, body: thrown(200, 'Error', 'With a status') },
  { kind: 'throw-unknown', status: 500, body: INTERNAL },
  { kind: 'foreign-stream', status: 200, body: 'pieces', type: 'application/octet-stream' },
];
