import { camelCase } from '../../lib/casing.js';
import { isAttributeName } from '../../content-types/attribute-names.js';
import { pluralOf } from '../../scaffold/type-names.js';
import type { RELATION_KINDS } from '../../scaffold/attribute-options.js';
import { promptOptionalText } from './prompt.js';
import type { Prompter } from './prompt.js';
import type { AttributePromptContext, AttributeOptions } from './attribute-prompt-context.js';

type RelationKind = (typeof RELATION_KINDS)[number];

const MANY_ON_INVERSE_SIDE: ReadonlySet<RelationKind> = new Set(['manyToOne', 'manyToMany']);
const POLYMORPHIC: ReadonlySet<RelationKind> = new Set(['morphToOne', 'morphToMany']);

const promptRelationKind = (prompter: Prompter, context: AttributePromptContext): Promise<RelationKind> => {
  const schemaName = context.schemaName;
  const inverseMorphChoices: readonly { readonly value: RelationKind; readonly name: string }[] =
    context.morphRelations.length === 0
      ? []
      : [
          { value: 'morphOne', name: `${schemaName} shows one that links to it by a relation of any type` },
          { value: 'morphMany', name: `${schemaName} shows all that link to it by a relation of any type` },
        ];
  const choices: readonly { readonly value: RelationKind; readonly name: string }[] =
    context.kind === 'component'
      ? [
          { value: 'oneToOne', name: `${schemaName} has one` },
          { value: 'oneToMany', name: `${schemaName} has many` },
        ]
      : [
          { value: 'manyToOne', name: `many ${schemaName} belong to one` },
          { value: 'oneToMany', name: `${schemaName} has many, each belongs to one ${schemaName}` },
          { value: 'manyToMany', name: `${schemaName} has many, each belongs to many ${schemaName}` },
          { value: 'oneToOne', name: `${schemaName} has one, which has one ${schemaName}` },
          { value: 'morphToOne', name: `${schemaName} has one of any type` },
          { value: 'morphToMany', name: `${schemaName} has many of any type` },
          ...inverseMorphChoices,
        ];
  return prompter((prompts, screen) =>
    prompts.select(
      {
        message: 'Kind of relation',
        choices: choices.map((choice) => ({ ...choice, short: choice.value, description: choice.value })),
        pageSize: 10,
      },
      screen,
    ),
  );
};

const promptInverseName = async (
  prompter: Prompter,
  kind: RelationKind,
  context: AttributePromptContext,
  target: string,
): Promise<string | undefined> => {
  const suggestion = camelCase(
    MANY_ON_INVERSE_SIDE.has(kind) ? pluralOf(context.schemaName) : context.schemaName,
  );
  const hasInverse = await prompter((prompts, screen) =>
    prompts.confirm({ message: `Add the inverse relation to ${target}?`, default: true }, screen),
  );
  if (!hasInverse) return undefined;
  return prompter((prompts, screen) =>
    prompts.input(
      {
        message: `Name of the inverse relation in ${target}`,
        default: suggestion,
        validate: (text) => isAttributeName(text) || 'Letters, digits and _ only, a letter first.',
      },
      screen,
    ),
  );
};

const promptMorphRelation = (
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<AttributeOptions> => {
  const choices = context.morphRelations.map(({ uid, attribute }) => ({
    value: { target: uid, morphBy: attribute },
    name: `${uid} ${attribute}`,
  }));
  return prompter((prompts, screen) =>
    prompts.select({ message: 'Linked from', choices, pageSize: 12 }, screen),
  );
};

/** Asks for the kind of a relation, its target, and the name of its inverse. */
export async function promptRelation(
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<AttributeOptions> {
  const kind = await promptRelationKind(prompter, context);
  if (POLYMORPHIC.has(kind)) return { relation: kind };
  if (kind === 'morphOne' || kind === 'morphMany')
    return { relation: kind, ...(await promptMorphRelation(prompter, context)) };
  const choices = context.types.map(({ uid, displayName }) => ({
    value: uid,
    name: displayName,
    description: uid,
  }));
  const target = await prompter((prompts, screen) =>
    prompts.select({ message: 'Of which type', choices, pageSize: 12 }, screen),
  );
  const name = context.types.find(({ uid }) => uid === target)?.singularName ?? target;
  const inverseName =
    context.kind === 'component' ? undefined : await promptInverseName(prompter, kind, context, name);
  if (inverseName === undefined) return { relation: kind, target };
  return { relation: kind, target, [kind === 'oneToMany' ? 'mappedBy' : 'inversedBy']: inverseName };
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
