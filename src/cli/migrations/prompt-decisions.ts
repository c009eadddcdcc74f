import type { ContentDecisions } from '../../migrations/content/content-decisions.js';
import { describeImpact, invalidIn } from '../../migrations/impact/data-impact.js';
import type { DataImpact } from '../../migrations/impact/data-impact.js';
import { matchModels } from '../../migrations/content/content-transition.js';
import type { ModelMatch } from '../../migrations/content/content-transition.js';
import type { Rename } from '../../migrations/schema/renames.js';
import type { Attribute, ContentModel, ContentSchema, Uid } from '../../model/model.js';
import type { Prompter } from '../prompts/prompt.js';
import { parseValue } from './parse-decisions.js';
import type { AttributeTarget } from './parse-decisions.js';

interface PathSegment {
  readonly name: string;
  /** The component of a dynamic zone on the path. */
  readonly component: Uid | null;
}

/** Splits `sections[blocks.quote].author` at dots outside of brackets. */
const parsePath = (path: string): readonly PathSegment[] =>
  [...path.matchAll(/([^.[\]]+)(?:\[([^\]]*)\])?/g)].map(([, name = '', component]) => ({
    name,
    component: component ?? null,
  }));

const componentIn = (attribute: Attribute | undefined, segment: PathSegment): Uid | null =>
  segment.component ?? (attribute?.family === 'component' ? attribute.component : null);

/** Returns the schema of the last attribute of the path, before the migration. */
const ownerOf = (
  before: ContentModel,
  type: ContentSchema,
  path: readonly PathSegment[],
): ContentSchema | null => {
  let owner: ContentSchema | undefined = type;
  for (const segment of path.slice(0, -1)) {
    const component: Uid | null = componentIn(owner.attributes[segment.name], segment);
    owner = component === null ? undefined : before.componentsByUid[component];
    if (owner === undefined) return null;
  }
  return owner;
};

const toTarget = (schema: ContentSchema, attribute: Attribute): AttributeTarget => ({
  schema,
  attribute,
  key: `${schema.uid}.${attribute.name}`,
});

/** Returns the attribute of a change, after the migration. Null if there is none. */
const targetOf = (
  before: ContentModel,
  after: ContentModel,
  match: ModelMatch,
  change: DataImpact,
): AttributeTarget | null => {
  const type = match.types.find((candidate) => candidate.before.uid === change.type);
  const path = parsePath(change.path ?? '');
  const last = path.at(-1)?.name;
  const owner = type === undefined ? null : ownerOf(before, type.before, path);
  if (type === undefined || owner === null || last === undefined) return null;
  const isType = owner.uid === type.before.uid;
  const uid = isType ? (type.after?.uid ?? null) : match.componentAfter(owner.uid);
  const schema = uid === null ? undefined : (after.typesByUid[uid] ?? after.componentsByUid[uid]);
  if (schema === undefined) return null;
  const pairs = isType ? type.attributes : match.componentAttributes(owner.uid, schema.uid);
  const pair = pairs.find((candidate) => (candidate.before ?? candidate.after)?.name === last);
  const attribute = pair?.after ?? null;
  return attribute === null ? null : toTarget(schema, attribute);
};

const LEAVE = { value: null, name: '(leave them as they are)' };

const select = (prompter: Prompter, message: string, values: readonly string[]): Promise<string | null> =>
  prompter((prompts, screen) =>
    prompts.select<string | null>(
      { message, choices: [LEAVE, ...values.map((value) => ({ value, name: value }))] },
      screen,
    ),
  );

const validateValue = (target: AttributeTarget, text: string): true | string => {
  try {
    if (text !== '') parseValue(target, text);
    return true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Asks for a missing value. Returns undefined to leave it missing. */
const promptValue = async (
  prompter: Prompter,
  target: AttributeTarget,
  change: DataImpact,
): Promise<unknown> => {
  const { attribute } = target;
  const message = `${describeImpact(change)}. Value for them`;
  if (attribute.family === 'scalar' && attribute.constraints.enum !== undefined)
    return (await select(prompter, message, attribute.constraints.enum)) ?? undefined;
  const text = await prompter((prompts, screen) =>
    prompts.input(
      { message: `${message} (empty: none)`, validate: (typed) => validateValue(target, typed) },
      screen,
    ),
  );
  return text === '' ? undefined : parseValue(target, text);
};

const isMissing = ({ samples }: DataImpact): boolean => samples.every((sample) => sample === 'null');

const parseSample = (sample: string): unknown => {
  try {
    return JSON.parse(sample) as unknown;
  } catch {
    return sample;
  }
};

const canBeSet = ({ family, type }: Attribute): boolean => family === 'scalar' && type !== 'password';

export interface DecisionPrompts {
  readonly prompter: Prompter;
  readonly before: ContentModel;
  readonly after: ContentModel;
  readonly renames: readonly Rename[];
  /** The answered questions, which are not asked again. */
  readonly asked: Set<string>;
}

const promptMappings = async (
  { prompter, asked }: DecisionPrompts,
  { key, attribute }: AttributeTarget,
  change: DataImpact,
): Promise<Readonly<Record<string, string>>> => {
  const values = attribute.family === 'scalar' ? attribute.constraints.enum : undefined;
  const mapping: Record<string, string> = {};
  for (const sample of values === undefined ? [] : change.samples.map(parseSample)) {
    if (typeof sample !== 'string' || asked.has(`${key}:${sample}`)) continue;
    asked.add(`${key}:${sample}`);
    const value = await select(
      prompter,
      `${change.type} ${change.path}: new value for "${sample}"`,
      values ?? [],
    );
    if (value !== null) mapping[sample] = value;
  }
  return mapping;
};

const decide = async (
  deps: DecisionPrompts,
  decisions: ContentDecisions,
  change: DataImpact,
): Promise<ContentDecisions> => {
  const { prompter, before, after, renames, asked } = deps;
  const match = matchModels(before, after, renames, decisions.renames);
  const target = targetOf(before, after, match, change);
  if (target === null) return decisions;
  const { key, attribute } = target;
  if (!isMissing(change)) {
    const mapping = await promptMappings(deps, target, change);
    if (Object.keys(mapping).length === 0) return decisions;
    return { ...decisions, map: { ...decisions.map, [key]: { ...decisions.map[key], ...mapping } } };
  }
  if (!attribute.required || !canBeSet(attribute) || asked.has(key)) return decisions;
  asked.add(key);
  const value = await promptValue(prompter, target, change);
  return value === undefined ? decisions : { ...decisions, set: { ...decisions.set, [key]: value } };
};

/**
 * Asks for missing required values, and for new values of an enumeration. Returns the same decisions if there
 * is nothing to ask, or the user decides nothing.
 */
export async function promptDecisions(
  deps: DecisionPrompts,
  decisions: ContentDecisions,
  impact: readonly DataImpact[],
): Promise<ContentDecisions> {
  let decided = decisions;
  for (const change of invalidIn(impact)) decided = await decide(deps, decided, change);
  return decided;
}
