import { camelCase } from '../../lib/names.js';
import type { RELATION_KINDS } from '../../project/scaffold/attribute-options.js';
import type { AttributeJson } from '../../project/scaffold/attribute-shorthand.js';
import { deriveTypeNames } from '../../project/scaffold/type-names.js';
import { checkAttributeName, promptPlural, promptTypeName } from './attribute-prompt-context.js';
import type { AttributeOptions, AttributePromptContext, RelationTarget } from './attribute-prompt-context.js';
import type { PickListChoice } from '../prompts/pick-list.js';
import { askConfirm, askOptionalText, askPick, askSelect, askText } from '../prompts/prompt.js';
import type { Prompter, Validity } from '../prompts/prompt.js';

type RelationKind = (typeof RELATION_KINDS)[number];

/** Choices without a single target type. */
const ANY_TYPE = 'any';
const LINKING_TYPE = 'linking';
const NEW_TYPE = 'new';

const MANY_ON_INVERSE_SIDE: ReadonlySet<RelationKind> = new Set(['manyToOne', 'manyToMany']);

const spaced = (name: string): string => name.replaceAll('-', ' ');

const specialTargets = ({ morphRelations }: AttributePromptContext): readonly PickListChoice[] => [
  { value: NEW_TYPE, name: 'A new type…', description: 'Created with this one.' },
  { value: ANY_TYPE, name: 'Any type', description: 'Each link may have a different type.' },
  ...(morphRelations.length === 0
    ? []
    : [
        {
          value: LINKING_TYPE,
          name: 'Documents that link here',
          description: 'Through a relation to any type.',
        },
      ]),
];

const presentTarget = ({ type, target, morphBy }: AttributeJson): string | undefined => {
  if (type !== 'relation') return undefined;
  if (morphBy !== undefined) return LINKING_TYPE;
  return typeof target === 'string' ? target : ANY_TYPE;
};

const promptTarget = (
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<string> =>
  askPick(prompter, {
    message: 'Target type',
    choices: [
      ...context.types.map(({ uid, displayName }) => ({ value: uid, name: displayName, description: uid })),
      ...(context.kind === 'component' ? [] : specialTargets(context)),
    ],
    default: presentTarget(current),
  });

const promptNewTarget = async (
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<RelationTarget> => {
  const isAvailable = context.validateTypeName;
  const name = await promptTypeName(prompter, { message: 'Name of the new type (Author)', isAvailable });
  const plural = await promptPlural(prompter, name, {
    message: 'Its plural, as in the URL',
    isAvailable,
  });
  const attribute = await askText(prompter, {
    message: 'Its first attribute, a text',
    isRequired: true,
    initial: 'name',
    validate: (text) => checkAttributeName(text, 'type'),
  });
  const draftAndPublish = await askConfirm(
    prompter,
    `Enable drafts and publishing for ${spaced(plural)}?`,
    false,
  );
  return context.addType({ names: deriveTypeNames({ name, plural }), attribute, draftAndPublish });
};

const promptKind = (
  prompter: Prompter,
  sentences: Partial<Readonly<Record<RelationKind, string>>>,
  { relation }: AttributeJson,
): Promise<RelationKind> => {
  const choices = Object.entries(sentences).map(([kind, name]) => ({
    value: kind as RelationKind,
    name,
    description: kind,
  }));
  const initial = choices.find(({ value }) => value === relation)?.value;
  return askSelect(prompter, { message: 'Kind of relation', choices, initial });
};

/** The kinds of a relation to one type, as sentences: `Many recipes belong to one author`. */
const sentencesFor = (
  { schemaName, schemaPlural, kind }: AttributePromptContext,
  target: RelationTarget,
): Partial<Readonly<Record<RelationKind, string>>> => {
  const [one, many] = [spaced(schemaName), spaced(schemaPlural)];
  const [oneTarget, manyTargets] = [spaced(target.singularName), spaced(target.pluralName)];
  if (kind === 'component')
    return { oneToOne: `One ${one} has one ${oneTarget}`, oneToMany: `One ${one} has many ${manyTargets}` };
  return {
    manyToOne: `Many ${many} belong to one ${oneTarget}`,
    oneToMany: `One ${one} has many ${manyTargets}`,
    manyToMany: `Many ${many} belong to many ${manyTargets}`,
    oneToOne: `One ${one} belongs to one ${oneTarget}`,
  };
};

const promptAnyTypeKind = (
  prompter: Prompter,
  { schemaName }: AttributePromptContext,
  current: AttributeJson,
): Promise<RelationKind> =>
  promptKind(
    prompter,
    {
      morphToOne: `One ${spaced(schemaName)} belongs to one document of any type`,
      morphToMany: `One ${spaced(schemaName)} has many documents of any type`,
    },
    current,
  );

const promptLinkingKind = async (
  prompter: Prompter,
  { schemaName, morphRelations }: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> => {
  const relation = await promptKind(
    prompter,
    {
      morphOne: `One ${spaced(schemaName)} shows one document that links to it`,
      morphMany: `One ${spaced(schemaName)} shows all documents that link to it`,
    },
    current,
  );
  const links = new Map(
    morphRelations.map(({ uid, attribute }) => [`${uid} ${attribute}`, { target: uid, morphBy: attribute }]),
  );
  const chosen = await askSelect(prompter, {
    message: 'Linked from',
    choices: [...links.keys()].map((value) => ({ value, name: value })),
    initial: `${String(current['target'])} ${String(current['morphBy'])}`,
  });
  return { relation, ...links.get(chosen) };
};

const promptInverseName = async (
  prompter: Prompter,
  kind: RelationKind,
  { target, context, current }: RelationQuestion & { readonly target: RelationTarget },
): Promise<string | undefined> => {
  const { singularName, attributeNames, uid } = target;
  const present = current['target'] === uid ? (current['inversedBy'] ?? current['mappedBy']) : undefined;
  const hasInverse = await askConfirm(
    prompter,
    `Add the inverse relation to ${singularName}?`,
    current['target'] !== uid || present !== undefined,
  );
  if (!hasInverse) return undefined;
  const { schemaName, schemaPlural } = context;
  const derived = camelCase(MANY_ON_INVERSE_SIDE.has(kind) ? schemaPlural : schemaName);
  return askText(prompter, {
    message: `Name of the inverse relation in ${singularName}`,
    isRequired: true,
    initial: typeof present === 'string' ? present : derived,
    validate: (text): Validity => {
      const validity = checkAttributeName(text, 'type');
      if (validity !== true || text === present) return validity;
      return !attributeNames.includes(text) || `${singularName} has ${text} already.`;
    },
  });
};

interface RelationQuestion {
  readonly context: AttributePromptContext;
  readonly current: AttributeJson;
}

/** Asks for the target of a relation, its kind, and the name of its inverse. */
export async function promptRelation(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const choice = await promptTarget(prompter, context, current);
  if (choice === ANY_TYPE) return { relation: await promptAnyTypeKind(prompter, context, current) };
  if (choice === LINKING_TYPE) return promptLinkingKind(prompter, context, current);
  const target =
    context.types.find(({ uid }) => uid === choice) ?? (await promptNewTarget(prompter, context));
  const kind = await promptKind(prompter, sentencesFor(context, target), current);
  const options = { relation: kind, target: target.uid };
  const inverseName =
    context.kind === 'component'
      ? undefined
      : await promptInverseName(prompter, kind, { target, context, current });
  if (inverseName === undefined) return options;
  return { ...options, [kind === 'oneToMany' ? 'mappedBy' : 'inversedBy']: inverseName };
}

const validateInteger = (text: string): Validity => /^\d+$/.test(text) || 'Enter a whole number.';

const presentNumber = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : undefined;

/** Asks for the smallest and largest number of items. Both are optional. */
export async function promptItemLimits(
  prompter: Prompter,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const min = await askOptionalText(prompter, {
    message: 'Minimum number of items (Enter: no limit)',
    initial: presentNumber(current['min']),
    validate: validateInteger,
  });
  const max = await askOptionalText(prompter, {
    message: 'Maximum number of items (Enter: no limit)',
    initial: presentNumber(current['max']),
    validate: (text) => {
      if (validateInteger(text) !== true) return validateInteger(text);
      return min === undefined || Number(min) <= Number(text) || `At least ${min}.`;
    },
  });
  return {
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
  };
}
