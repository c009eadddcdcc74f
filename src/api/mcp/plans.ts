import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../access/access.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { ContentType } from '../../model/model.js';
import { defaultSelection, publishedQuery } from '../../query/parse/server-queries.js';
import type { McpCall, McpServices } from './mcp-services.js';
import type { Arguments } from './tools/tool.js';

const MINUTE_MS = 60_000;
/** Minutes for which a plan can be confirmed. */
const LIFETIME = 30;

/** A call that is carried out only if the client confirms its plan. */
export interface PlannedCall {
  readonly tool: string;
  readonly args: Arguments;
  /** The state of everything that the plan was made for. */
  readonly state: string;
}

/** Returns a digest of a JSON value. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
};

const identityOf = (caller: Caller): string => {
  switch (caller.kind) {
    case 'token':
      return `token ${caller.tokenId}`;
    case 'user':
      return `user ${caller.userId}`;
    case 'anonymous':
      return caller.kind;
  }
};

const sign = ({ services, caller }: McpCall, { tool, args, state }: PlannedCall, expiry: number): string => {
  const { confirm: _confirm, ...planned } = args;
  const text = JSON.stringify([tool, identityOf(caller), sortKeys(planned), state, expiry]);
  return createHmac('sha256', services.signingKey).update(`mcp plan ${text}`).digest('base64url');
};

/**
 * Returns the text that confirms a plan. It is bound to the client, the tool, the arguments and the state,
 * and valid for half an hour on every process of the server.
 */
export function issueConfirmation(call: McpCall, planned: PlannedCall): string {
  const expiry = Math.ceil(Date.now() / MINUTE_MS) + LIFETIME;
  return `${expiry.toString(36)}.${sign(call, planned, expiry)}`;
}

/** @throws `mcp/plan-changed` unless the text confirms exactly this plan */
export function assertConfirmation(call: McpCall, planned: PlannedCall): void {
  const { confirm } = planned.args;
  const [head = '', mac = ''] = typeof confirm === 'string' ? confirm.split('.', 2) : [];
  const expiry = /^[a-z0-9]{1,9}$/.test(head) ? Number.parseInt(head, 36) : 0;
  const expected = Buffer.from(sign(call, planned, expiry));
  const sent = Buffer.from(mac);
  const isSame = sent.length === expected.length && timingSafeEqual(sent, expected);
  if (!isSame || expiry < Date.now() / MINUTE_MS)
    throw createError('mcp/plan-changed', { tool: planned.tool, minutes: LIFETIME });
}

/** Returns a digest of all versions of documents. An empty list stands for the document of a single type. */
export async function documentState(
  { model, documents }: Pick<McpServices, 'model' | 'documents'>,
  type: ContentType,
  documentIds: readonly string[],
): Promise<string> {
  const { records } = await documents.findMany({
    ...publishedQuery(type.uid, defaultSelection(model, type.uid), {
      locale: '*',
      filter:
        documentIds.length === 0
          ? null
          : { kind: 'compare', field: 'documentId', operator: '$in', operand: [...documentIds] },
    }),
    isOfAllStatuses: true,
  });
  return digestOf(records.toSorted());
}

/** Returns a digest that changes when documents of a type are created or deleted. */
export async function countState(
  { model, documents }: Pick<McpServices, 'model' | 'documents'>,
  type: ContentType,
): Promise<string> {
  const query = publishedQuery(type.uid, defaultSelection(model, type.uid), { locale: '*' });
  return digestOf(await documents.count({ ...query, isOfAllStatuses: true }));
}
