import type { IndexSuggestion, ReadAdvice } from '../../api/administration/operation.js';
import { lastSegment } from '../../lib/ids.js';
import { remedyCommands } from '../../project/read-advice/scan-remedies.js';
import { editAttribute } from '../../project/scaffold/edit-schema.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';
import type { Outcome } from '../outcome.js';
import type { SchemaEditSession } from './schema-command.js';

interface IndexRequest {
  readonly uid: string;
  readonly attribute: string;
  /** An index of the values, or a full-text index. */
  readonly option: 'index' | 'search';
  readonly isSet: boolean;
}

/**
 * Adds or removes the index of an attribute, and migrates.
 *
 * @throws `scaffold/invalid-attribute` if an index cannot hold its values
 */
export async function setIndex(
  session: SchemaEditSession,
  { uid, attribute, option, isSet }: IndexRequest,
): Promise<Outcome> {
  const schema = resolveSchema(session.edits.definitions, uid);
  const name = resolveAttribute(schema, attribute);
  const options = [{ key: option, value: String(isSet) }];
  const { before, after } = await editAttribute(session.edits, schema, name, { options, unset: [] });
  return session.commit({
    label: `${isSet ? '' : 'un'}${option} ${name} of ${lastSegment(schema.uid)}`,
    json: { uid: schema.uid, attribute: name, before, after },
    text: `${schema.uid} ${name}`,
  });
}

interface IndexesRequest {
  readonly indexes: readonly { readonly type: string; readonly attribute: string }[];
  /** The command's part of the JSON result. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Adds indexes to several attributes, and migrates once. */
export async function addIndexes(
  session: SchemaEditSession,
  { indexes, json }: IndexesRequest,
): Promise<Outcome> {
  const options = [{ key: 'index', value: 'true' }];
  const names: string[] = [];
  for (const { type, attribute } of indexes) {
    const schema = resolveSchema(session.edits.definitions, type);
    await editAttribute(session.edits, schema, attribute, { options, unset: [] });
    names.push(`${schema.uid} ${attribute}`);
  }
  return session.commit({ label: 'suggested indexes', json, text: names.join('\n') });
}

const MAX_READS = 20;

/** The message if no reads are counted. */
const NO_READS =
  'No reads are counted yet. cms start counts reads, and stores the counts every minute and when it stops.';

const printMs = (ms: number): string => (ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`);

const printCount = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'call' : 'calls'}`;

/** Returns each suggested index once. */
export function suggestedIndexes(advice: readonly ReadAdvice[]): readonly IndexSuggestion[] {
  const suggestions = advice.map(({ suggestion }) => suggestion).filter((each) => each !== null);
  return suggestions.filter(
    ({ type, attribute }, index) =>
      suggestions.findIndex((other) => other.type === type && other.attribute === attribute) === index,
  );
}

const printRead = ({ read, calls, ms, suggestion, search }: ReadAdvice): readonly string[] => [
  read,
  `  ${printCount(calls)}, ${printMs(ms / calls)} each, ${printMs(ms)} in all`,
  ...(suggestion === null
    ? []
    : [
        `  with an index of ${lastSegment(suggestion.type)} ${suggestion.attribute}: ` +
          `${printMs(suggestion.after)} instead of ${printMs(suggestion.before)}`,
      ]),
  ...(search.length === 0 ? [] : [`  Add a full-text index: ${remedyCommands(search)}`]),
];

/** Prints the reads with the longest total time, and the indexes that would speed them up. */
export function printAdvice(advice: readonly ReadAdvice[]): string {
  if (advice.length === 0) return NO_READS;
  const others = advice.length - MAX_READS;
  return [
    ...advice.slice(0, MAX_READS).flatMap(printRead),
    ...(others > 0 ? [`and ${others} faster ones; --json lists all`] : []),
    '',
    suggestedIndexes(advice).length === 0
      ? 'No index would speed them up notably.'
      : 'Add these indexes: cms index suggest --apply',
  ].join('\n');
}
