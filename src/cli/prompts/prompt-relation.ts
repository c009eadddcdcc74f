import { isAttributeName } from '../../content-types/attribute-names.js';
import { camelCase } from '../../lib/casing.js';
import type { RELATION_KINDS } from '../../scaffold/attribute-options.js';
import { deriveTypeNames } from '../../scaffold/type-names.js';
import type { AttributeOptions, AttributePromptContext, RelationTarget } from './attribute-prompt-context.js';
import type { PickListChoice } from './pick-list.js';
import { promptPlural, typeNameQuestion } from './prompt-type-names.js';
import { promptOptionalText, promptPick } from './prompt.js';
import type { Prompter } from './prompt.js';

type RelationKind = (typeof RELATION_KINDS)[number];

/** Choices that stand for no single type. */
const ANY_TYPE = 'any';
const LINKING_TYPE = 'linking';
const NEW_TYPE = 'new';

const MANY_ON_INVERSE_SIDE: ReadonlySet<RelationKind> = new Set(['manyToOne', 'manyToMany']);
const INVALID_NAME = 'Letters, digits and _ only, a letter first.';

const spaced = (name: string): string => name.replaceAll('-', ' ');

const specialTargets = ({ morphRelations }: AttributePromptContext): readonly PickListChoice[] => [
  { value: NEW_TYPE, name: 'A new type…', description: 'Made together with this one.' },
  { value: ANY_TYPE, name: 'Any type', description: 'Each link may lead to another type.' },
  ...(morphRelations.length === 0
    ? []
    : [{ value: LINKING_TYPE, name: 'What links here', description: 'By a relation to any type.' }]),
];

const promptTarget = (prompter: Prompter, context: AttributePromptContext): Promise<string> =>
  promptPick(prompter, {
    message: 'Of which type',
    choices: [
      ...context.types.map(({ uid, displayName }) => ({ value: uid, name: displayName, description: uid })),
      ...(context.kind === 'component' ? [] : specialTargets(context)),
    ],
  });

const promptNewTarget = async (
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<RelationTarget> => {
  const name = await prompter(typeNameQuestion('Name of the new type (Author)', context.validateTypeName));
  const plural = await promptPlural(
    prompter,
    'Its plural, as in the address',
    name,
    context.validateTypeName,
  );
  const attribute = await prompter((prompts, screen) =>
    prompts.input(
      {
        message: 'Its first attribute, a text',
        default: 'name',
        validate: (text) => isAttributeName(text) || INVALID_NAME,
      },
      screen,
    ),
  );
  return context.addType({ names: deriveTypeNames({ name, plural }), attribute });
};

const promptKind = async (
  prompter: Prompter,
  sentences: Partial<Readonly<Record<RelationKind, string>>>,
): Promise<RelationKind> => {
  const choices = Object.entries(sentences).map(([kind, name]) => ({
    value: kind as RelationKind,
    name,
    description: kind,
  }));
  return prompter((prompts, screen) => prompts.select({ message: 'Kind of relation', choices }, screen));
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
): Promise<RelationKind> =>
  promptKind(prompter, {
    morphToOne: `One ${spaced(schemaName)} belongs to one document of any type`,
    morphToMany: `One ${spaced(schemaName)} has many documents of any type`,
  });

const promptLinkingKind = async (
  prompter: Prompter,
  { schemaName, morphRelations }: AttributePromptContext,
): Promise<AttributeOptions> => {
  const relation = await promptKind(prompter, {
    morphOne: `One ${spaced(schemaName)} shows one document that links to it`,
    morphMany: `One ${spaced(schemaName)} shows all documents that link to it`,
  });
  const choices = morphRelations.map(({ uid, attribute }) => ({
    value: { target: uid, morphBy: attribute },
    name: `${uid} ${attribute}`,
  }));
  const link = await prompter((prompts, screen) =>
    prompts.select({ message: 'Linked from', choices, pageSize: 12 }, screen),
  );
  return { relation, ...link };
};

const promptInverseName = async (
  prompter: Prompter,
  kind: RelationKind,
  { schemaName, schemaPlural }: AttributePromptContext,
  { singularName, attributeNames }: RelationTarget,
): Promise<string | undefined> => {
  const hasInverse = await prompter((prompts, screen) =>
    prompts.confirm({ message: `Add the inverse relation to ${singularName}?`, default: true }, screen),
  );
  if (!hasInverse) return undefined;
  return prompter((prompts, screen) =>
    prompts.input(
      {
        message: `Name of the inverse relation in ${singularName}`,
        default: camelCase(MANY_ON_INVERSE_SIDE.has(kind) ? schemaPlural : schemaName),
        validate: (text) => {
          if (!isAttributeName(text)) return INVALID_NAME;
          return !attributeNames.includes(text) || `${singularName} has ${text} already.`;
        },
      },
      screen,
    ),
  );
};

/** Asks for the target of a relation, its kind, and the name of its inverse. */
export async function promptRelation(
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<AttributeOptions> {
  const choice = await promptTarget(prompter, context);
  if (choice === ANY_TYPE) return { relation: await promptAnyTypeKind(prompter, context) };
  if (choice === LINKING_TYPE) return promptLinkingKind(prompter, context);
  const target =
    context.types.find(({ uid }) => uid === choice) ?? (await promptNewTarget(prompter, context));
  const kind = await promptKind(prompter, sentencesFor(context, target));
  const options = { relation: kind, target: target.uid };
  const inverseName =
    context.kind === 'component' ? undefined : await promptInverseName(prompter, kind, context, target);
  if (inverseName === undefined) return options;
  return { ...options, [kind === 'oneToMany' ? 'mappedBy' : 'inversedBy']: inverseName };
}

const validateInteger = (text: string): true | string => /^\d+$/.test(text) || 'Enter a whole number.';

/** Asks for the smallest and largest number of items. Both are optional. */
export async function promptItemLimits(prompter: Prompter): Promise<AttributeOptions> {
  const min = await promptOptionalText(prompter, 'Fewest items (Enter: none)', validateInteger);
  const max = await promptOptionalText(prompter, 'Most items (Enter: any)', validateInteger);
  return {
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
  };
}
