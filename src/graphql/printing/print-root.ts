import { UNPRINTABLE } from '../../lib/unprintable.js';
import type { FindManyResult } from '../../documents/documents.js';
import { PAGINATION } from '../schema/fixed-types.js';
import { pageInfoValues } from '../resolvers/page-info.js';
import { TYPENAME } from '../selection/plan-output.js';
import type { FieldRequest } from '../selection/collect-fields.js';
import type { Page } from '../../query/query.js';
import type { ConnectionMember, RootPlan } from './operation-plan.js';

const MARK = JSON.stringify(UNPRINTABLE);
const MAX_INT32 = 2_147_483_647;

/** What the statements of a root field returned. */
export interface FoundRecords extends FindManyResult {
  readonly page: Page | null;
}

const member = (key: string, json: string): string => `${JSON.stringify(key)}:${json}`;

/** Returns the members of `pageInfo` with their values. Undefined: not known, or too large a number. */
const pageInfoMembers = (
  requests: readonly FieldRequest[],
  found: FoundRecords,
): readonly (readonly [key: string, value: unknown])[] => {
  const values = pageInfoValues(found.page, found);
  return requests.map(({ key, name }) => {
    const value = name === TYPENAME ? PAGINATION.name : values[name];
    const isPrintable = typeof value !== 'number' || (Number.isInteger(value) && value <= MAX_INT32);
    return [key, isPrintable ? value : undefined];
  });
};

const printPageInfo = (requests: readonly FieldRequest[], found: FoundRecords): string | null => {
  const members = pageInfoMembers(requests, found);
  if (members.some(([, value]) => value === undefined)) return null;
  return `{${members.map(([key, value]) => member(key, JSON.stringify(value))).join(',')}}`;
};

const printMember = (
  connectionMember: ConnectionMember,
  found: FoundRecords,
  list: string,
): string | null => {
  const { key } = connectionMember;
  switch (connectionMember.kind) {
    case 'nodes':
      return member(key, list);
    case 'text':
      return member(key, JSON.stringify(connectionMember.text));
    case 'pageInfo': {
      const pageInfo = printPageInfo(connectionMember.members, found);
      return pageInfo === null ? null : member(key, pageInfo);
    }
    default:
      return connectionMember satisfies never;
  }
};

/** Prints the value of a root field. Null: it cannot be printed as GraphQL does. */
export function printRoot({ read, connection }: RootPlan, found: FoundRecords): string | null {
  const texts = found.records.join(',');
  // A statement could not print some value as GraphQL does.
  if (texts.includes(MARK)) return null;
  const list = `[${texts}]`;
  switch (read.form) {
    case 'one':
      return found.records[0] ?? 'null';
    case 'list':
      return list;
    case 'connection': {
      const members = connection.map((each) => printMember(each, found, list));
      return members.includes(null) ? null : `{${members.join(',')}}`;
    }
    default:
      return read.form satisfies never;
  }
}

/** Prints `{"data":{…}}` around the members of the answer. */
export function printData(members: readonly (readonly [key: string, json: string])[]): string {
  return `{${members.map(([key, json]) => member(key, json)).join(',')}}`;
}
