import { UNPRINTABLE } from '../../lib/unprintable.js';
import type { RecordText } from '../../documents/documents.js';
import { PAGINATION } from '../schema/fixed-types.js';
import { pageInfoOf } from '../resolvers/page-info.js';
import { TYPENAME } from '../selection/plan-output.js';
import type { FieldRequest } from '../selection/collect-fields.js';
import type { Page } from '../../query/query.js';
import type { ConnectionMember, RootPlan } from './operation-plan.js';

const MARK = JSON.stringify(UNPRINTABLE);
const MAX_INT32 = 2_147_483_647;

/** What the statements of a root field returned. */
export interface FoundRecords {
  readonly records: readonly RecordText[];
  readonly page: Page | null;
  /** Null: not counted. */
  readonly total: number | null;
}

const PAGE_INFO_MEMBERS: readonly string[] = ['page', 'pageCount', 'pageSize', 'total', TYPENAME];

export function isPageInfoMember(name: string): boolean {
  return PAGE_INFO_MEMBERS.includes(name);
}

/** Whether a statement could not print some value as GraphQL does. */
export function isUnprintable(record: RecordText): boolean {
  return record.includes(MARK);
}

const member = (key: string, json: string): string => `${JSON.stringify(key)}:${json}`;

const printPageInfo = (members: readonly FieldRequest[], { page, total }: FoundRecords): string | null => {
  if (total === null) return null;
  const pageInfo: Readonly<Record<string, number>> = pageInfoOf(page, total);
  const values = members.map(({ name }) => (name === TYPENAME ? PAGINATION.name : pageInfo[name]));
  const isPrintable = values.every(
    (value) => typeof value === 'string' || (Number.isInteger(value) && Number(value) <= MAX_INT32),
  );
  return isPrintable
    ? `{${members.map(({ key }, index) => member(key, JSON.stringify(values[index]))).join(',')}}`
    : null;
};

const printMember = (connectionMember: ConnectionMember, found: FoundRecords): string | null => {
  const { key } = connectionMember;
  switch (connectionMember.kind) {
    case 'nodes':
      return member(key, `[${found.records.join(',')}]`);
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
  const { records } = found;
  if (records.some(isUnprintable)) return null;
  switch (read.form) {
    case 'one':
      return records[0] ?? 'null';
    case 'list':
      return `[${records.join(',')}]`;
    case 'connection': {
      const members = connection.map((each) => printMember(each, found));
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
