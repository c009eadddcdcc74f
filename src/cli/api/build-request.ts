/** The folder api supports `cms api`. This file builds a request from the flags. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseFormBody } from '../../api/rest/parse-query-string.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { readStdin } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';

export const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

type ApiMethod = (typeof API_METHODS)[number];

/** A request to the API of a project or of a remote server. */
export interface ApiRequest {
  readonly method: ApiMethod;
  /** The endpoint of GraphQL, or REST with the path below the prefix of the API: `/articles`. */
  readonly endpoint: 'rest' | 'graphql';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The flags of `cms api` that describe the request. */
export interface ApiFlags {
  readonly method: ApiMethod | undefined;
  /** `name=value`, as text. */
  readonly 'raw-field': readonly string[] | undefined;
  /** `name=value` with a typed value. */
  readonly field: readonly string[] | undefined;
  readonly header: readonly string[] | undefined;
  readonly input: string | undefined;
  readonly graphql: string | undefined;
}

type Field = readonly [name: string, value: unknown];

const usageError = (reason: string, remedy: string): GalleyError =>
  createError('cli/invalid-usage', { reason, remedy });

const readText = async (terminal: Terminal, source: string): Promise<string> => {
  if (source === '-') return readStdin(terminal);
  return readFile(resolve(terminal.cwd, source), 'utf8').catch((cause: unknown) => {
    throw createError(
      'cli/invalid-usage',
      { reason: `${source} cannot be read.`, remedy: 'Pass the path of a file, or "-" for standard input.' },
      { cause },
    );
  });
};

const splitField = (text: string): readonly [string, string] => {
  const equals = text.indexOf('=');
  if (equals < 1) throw usageError(`${text} is not a field.`, 'Write fields as name=value.');
  return [text.slice(0, equals), text.slice(equals + 1)];
};

const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Parses the value of `--field`: true, false, null, an integer, or the text of `@file`. */
const parseValue = async (terminal: Terminal, text: string): Promise<unknown> => {
  if (Object.hasOwn(LITERALS, text)) return LITERALS[text];
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  return text.startsWith('@') ? readText(terminal, text.slice(1)) : text;
};

const readFields = async (terminal: Terminal, flags: ApiFlags): Promise<readonly Field[]> => {
  const fields: Field[] = (flags['raw-field'] ?? []).map(splitField);
  for (const text of flags.field ?? []) {
    const [name, value] = splitField(text);
    fields.push([name, await parseValue(terminal, value)]);
  }
  return fields;
};

const replaceIndexes = (value: unknown, fields: readonly Field[]): unknown => {
  if (typeof value === 'string') return fields[Number(value)]?.[1];
  if (Array.isArray(value)) return value.map((item) => replaceIndexes(item, fields));
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIndexes(item, fields)]))
    : value;
};

/** Nests fields with names in brackets, `data[title]`, as the API nests query parameters. */
const nestFields = (fields: readonly Field[]): unknown => {
  const text = fields.map(([name], index) => `${encodeURIComponent(name)}=${index}`).join('&');
  return replaceIndexes(parseFormBody(text), fields);
};

const readHeaders = (headers: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.map((text) => {
      const colon = text.indexOf(':');
      if (colon < 1) throw usageError(`${text} is not a header.`, "Write headers as 'Name: value'.");
      const name = text.slice(0, colon).trim().toLowerCase();
      if (name === 'authorization')
        throw usageError(
          'Every user of this machine can see a token in the arguments.',
          'Select the caller with --as, or store the token of a server with: cms remote add',
        );
      return [name, text.slice(colon + 1).trim()];
    }),
  );

/** Returns the path below the prefix of the API, which may be present, and its query parameters. */
const splitPath = (path: string, prefix: string): Pick<ApiRequest, 'path' | 'query'> => {
  if (/^[a-z][a-z\d+.-]*:/i.test(path))
    throw usageError(`${path} is not a path.`, 'Pass a path of the API, such as /articles, and --remote.');
  const [pathname = '', ...rest] = path.split('?');
  const absolute = pathname.startsWith('/') ? pathname : `/${pathname}`;
  const isPrefixed = absolute === prefix || absolute.startsWith(`${prefix}/`);
  return {
    path: isPrefixed ? absolute.slice(prefix.length) : absolute,
    query: new URLSearchParams(rest.join('?')),
  };
};

const WITH_BODY: ReadonlySet<ApiMethod> = new Set(['POST', 'PUT', 'PATCH']);
const JSON_TYPE = { 'content-type': 'application/json' };

const buildGraphqlRequest = async (
  terminal: Terminal,
  source: string,
  flags: ApiFlags,
): Promise<ApiRequest> => {
  if (flags.method !== undefined && flags.method !== 'POST')
    throw usageError('--graphql sends POST requests.', 'Omit --method.');
  const isFile = source === '-' || source.startsWith('@');
  const query = isFile ? await readText(terminal, source.replace(/^@/, '')) : source;
  const variables = nestFields(await readFields(terminal, flags));
  return {
    method: 'POST',
    endpoint: 'graphql',
    path: '',
    query: new URLSearchParams(),
    headers: { ...JSON_TYPE, ...readHeaders(flags.header ?? []) },
    body: JSON.stringify({ query, variables }),
  };
};

/**
 * Builds the request of a path or of a GraphQL document. Fields become variables of the document, the JSON
 * body of POST, PUT and PATCH, or else query parameters.
 *
 * @param prefix the prefix of the API
 * @throws `cli/invalid-usage`
 */
export async function buildApiRequest(
  terminal: Terminal,
  path: string | undefined,
  flags: ApiFlags,
  prefix: string,
): Promise<ApiRequest> {
  if (flags.graphql !== undefined) {
    if (path === undefined) return buildGraphqlRequest(terminal, flags.graphql, flags);
    throw usageError('--graphql has its own endpoint.', `Omit the path ${path}.`);
  }
  if (path === undefined)
    throw createError('cli/missing-argument', { argument: '<path>', usage: 'cms api <path>' });
  const { input } = flags;
  const method = flags.method ?? (input === undefined ? 'GET' : 'POST');
  if (input !== undefined && !WITH_BODY.has(method))
    throw usageError(`A ${method} request has no body.`, 'Omit --input, or pass another --method.');
  const headers = readHeaders(flags.header ?? []);
  const fields = await readFields(terminal, flags);
  const request = { method, endpoint: 'rest' as const, ...splitPath(path, prefix) };
  if (input === undefined && fields.length > 0 && WITH_BODY.has(method))
    return { ...request, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(nestFields(fields)) };
  for (const [name, value] of fields) request.query.append(name, String(value));
  if (input === undefined) return { ...request, headers, body: undefined };
  return { ...request, headers: { ...JSON_TYPE, ...headers }, body: await readText(terminal, input) };
}
