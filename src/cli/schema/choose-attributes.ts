import { createError } from '../../errors/catalogue.js';
import { addAttributes } from '../../project/scaffold/add-attributes.js';
import { addComponent, addTypes, assertComponentNameAvailable } from '../../project/scaffold/add-schema.js';
import type { NewType } from '../../project/scaffold/add-schema.js';
import { parseAttributeShorthand } from '../../project/scaffold/attribute-shorthand.js';
import type { AttributeJson, NamedAttribute } from '../../project/scaffold/attribute-shorthand.js';
import { replaceAttribute } from '../../project/scaffold/edit-schema.js';
import type { ChangedAttribute } from '../../project/scaffold/edit-schema.js';
import { parseComponentName, typeUid } from '../../project/scaffold/type-names.js';
import type { SchemaDefinition, SchemaProject } from '../../project/scaffold/schema-project.js';
import { createAttributePromptContext } from './attribute-prompt-context.js';
import type {
  AttributePromptContext,
  NewTarget,
  PromptedSchema,
  ValidateNames,
} from './attribute-prompt-context.js';
import { createForm, review } from '../prompts/wizard.js';
import type { FormFields, Review, Wizard } from '../prompts/wizard.js';
import { printSummary, promptAttributeJson, promptAttributes } from './prompt-attributes.js';
import { askText, missingValue } from '../prompts/prompt.js';
import type { Validity } from '../prompts/prompt.js';
import type { SchemaEditSession } from './schema-command.js';

/** The attributes of a schema, and the new types for the targets of its relations. */
export interface ChosenAttributes {
  readonly attributes: readonly NamedAttribute[];
  readonly newTypes: readonly NewType[];
}

const newTypeOf = ({ names, attribute, draftAndPublish }: NewTarget): NewType => ({
  names,
  kind: 'collectionType',
  description: '',
  draftAndPublish,
  localized: false,
  attributes: [{ name: attribute, json: { type: 'string' } }],
});

const printNewType = ({
  names: { singularName, pluralName },
  attribute,
  draftAndPublish,
}: NewTarget): string =>
  `  new type ${singularName} (${pluralName}), ${attribute}: string${draftAndPublish ? ', with drafts' : ''}`;

/** Validates names by adding a type with them. */
const checkNewType =
  ({ check }: SchemaEditSession): ValidateNames =>
  (names) =>
    check((copy) => addTypes(copy, [newTypeOf({ names, attribute: 'name', draftAndPublish: false })]));

/** Returns the name of the draft that Ctrl-C discards. */
const describeDraft = (subject: string, attributes: readonly NamedAttribute[]): string =>
  attributes.length === 0 ? subject : `${subject} with ${attributes.map(({ name }) => name).join(', ')}`;

/** A schema whose attributes the user enters. */
interface AttributeSubject extends Omit<PromptedSchema, 'checkType'> {
  /** `the content-type recipe` */
  readonly label: string;
}

export interface AttributeWork {
  readonly session: SchemaEditSession;
  /** Returns the schema with its present names, which the review may change. */
  readonly subject: () => AttributeSubject;
  /** Applies the attributes to the edits. */
  readonly apply: (edits: SchemaProject, chosen: ChosenAttributes) => Promise<unknown>;
  /** Returns the other content of the review. */
  readonly review?: () => Review;
}

/** Asks for the attributes of a schema within a wizard. */
export async function askForAttributes(
  wizard: Wizard,
  { session, subject, apply, review: describe = () => ({ summary: '', actions: [] }) }: AttributeWork,
): Promise<ChosenAttributes> {
  const newTargets: NewTarget[] = [];
  const firstUid = subject().uid;
  /** Updates relations to the schema itself after the name has changed. */
  const withOwnTarget = ({ name, json }: NamedAttribute): NamedAttribute =>
    json['target'] === firstUid ? { name, json: { ...json, target: subject().uid } } : { name, json };
  const chosenOf = (attributes: readonly NamedAttribute[]): ChosenAttributes => ({
    attributes: attributes.map(withOwnTarget),
    newTypes: newTargets
      .filter(({ names }) => attributes.some(({ json }) => json['target'] === typeUid(names)))
      .map(newTypeOf),
  });
  const check = (attributes: readonly NamedAttribute[]): Promise<Validity> =>
    session.check((copy) => apply(copy, chosenOf(attributes)));
  const contextOf = (others: readonly NamedAttribute[]): AttributePromptContext => {
    const schema = subject();
    const attributes = [...schema.attributes, ...others];
    const checkType = checkNewType(session);
    return createAttributePromptContext(session.edits, { ...schema, attributes, checkType }, newTargets);
  };
  wizard.setDraft(subject().label);
  const attributes = await promptAttributes(wizard, {
    contextOf,
    check,
    onChange: (drafted) => wizard.setDraft(describeDraft(subject().label, drafted)),
    review: () => {
      const { summary, actions } = describe();
      return {
        summary: [summary, ...newTargets.map(printNewType)].filter((line) => line !== '').join('\n'),
        actions,
      };
    },
  });
  return chosenOf(attributes);
}

const subjectOf = (schema: SchemaDefinition): AttributeSubject => {
  const isType = 'kind' in schema;
  const name = isType ? schema.singularName : schema.name;
  return {
    uid: schema.uid,
    name,
    label: `new attributes of ${name}`,
    kind: isType ? 'type' : 'component',
    localized: isType && schema.localized,
    attributes: schema.attributes.map(({ name: attribute, type, options }) => ({
      name: attribute,
      json: { type, ...options },
    })),
    ...(isType ? { names: schema } : {}),
  };
};

/** Adds attributes to a schema, and the new types that they target. */
export async function addChosenAttributes(
  edits: SchemaProject,
  schema: SchemaDefinition,
  { attributes, newTypes }: ChosenAttributes,
): Promise<void> {
  await addAttributes(await addTypes(edits, newTypes), schema, attributes);
}

/**
 * Returns the attributes to add to an existing content-type or component, from the command line or from
 * prompts.
 *
 * @throws `cli/missing-value`, `cli/declined` if the answers add nothing
 */
export async function chooseAttributes(
  wizard: Wizard | null,
  session: SchemaEditSession,
  schema: SchemaDefinition,
  shorthands: readonly string[],
): Promise<ChosenAttributes> {
  if (shorthands.length > 0) return { attributes: shorthands.map(parseAttributeShorthand), newTypes: [] };
  if (wizard === null) throw missingValue('<attribute>');
  const chosen = await askForAttributes(wizard, {
    session,
    subject: () => subjectOf(schema),
    apply: (edits, added) => addChosenAttributes(edits, schema, added),
  });
  if (chosen.attributes.length === 0) throw createError('cli/declined');
  return chosen;
}

/** The new definition of an attribute, and the new types that it targets. */
export interface AttributeEditChoice {
  readonly json: AttributeJson;
  readonly newTypes: readonly NewType[];
}

/** Changes an attribute of a schema, and adds the new types that it targets. */
export async function applyAttributeEdit(
  edits: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  { json, newTypes }: AttributeEditChoice,
): Promise<ChangedAttribute> {
  return replaceAttribute(await addTypes(edits, newTypes), schema, name, () => json);
}

/** Asks for the new definition of an attribute, and shows it for review. */
export async function promptAttributeEdit(
  wizard: Wizard,
  session: SchemaEditSession,
  schema: SchemaDefinition,
  { name, json: before }: NamedAttribute,
): Promise<AttributeEditChoice> {
  const newTargets: NewTarget[] = [];
  const subject = subjectOf(schema);
  const attributes = subject.attributes.filter((attribute) => attribute.name !== name);
  const context = { ...subject, attributes, checkType: checkNewType(session) };
  const choiceOf = (json: AttributeJson): AttributeEditChoice => ({
    json,
    newTypes: newTargets.filter(({ names }) => json['target'] === typeUid(names)).map(newTypeOf),
  });
  const ask = async (present: AttributeJson): Promise<AttributeJson> => {
    let proposal = present;
    for (;;) {
      const targets = createAttributePromptContext(session.edits, context, newTargets);
      proposal = await promptAttributeJson(wizard.prompter, targets, proposal);
      const choice = choiceOf(proposal);
      const validity = await session.check((copy) => applyAttributeEdit(copy, schema, name, choice));
      if (validity === true) return proposal;
      wizard.info(validity);
    }
  };
  wizard.setDraft(`the change of ${name}`);
  let json = await ask(before);
  await review(wizard, () => ({
    summary: [
      `- ${printSummary({ name, json: before }).trimStart()}`,
      `+ ${printSummary({ name, json }).trimStart()}`,
      ...newTargets.map(printNewType),
    ].join('\n'),
    actions: [
      {
        name: `Edit ${name}`,
        run: async () => {
          json = await ask(json);
        },
      },
    ],
  }));
  return choiceOf(json);
}

/** A component to add, and its attributes. */
export interface ChosenComponent {
  readonly uid: string;
  readonly attributes: readonly NamedAttribute[];
  readonly newTypes: readonly NewType[];
}

/**
 * Returns the component to add. Without a terminal it may have no attributes, which can be added later.
 *
 * @throws `cli/missing-value`, `scaffold/invalid-name`, `scaffold/name-taken`
 */
export async function chooseComponent(
  wizard: Wizard | null,
  session: SchemaEditSession,
  given: { readonly uid: string | undefined; readonly shorthands: readonly string[] | undefined },
): Promise<ChosenComponent> {
  const labelOf = (uid: string): string => `the component ${uid}`;
  const fields: FormFields<{ readonly uid: string }> = {
    uid: {
      name: '<name>',
      label: 'category and name',
      given: given.uid,
      assert: (uid) => assertComponentNameAvailable(session.edits, uid),
      ask: (prompter, question) =>
        askText(prompter, {
          initial: question.initial,
          message: 'Category and name (shared.seo)',
          isRequired: true,
          validate: async (uid) => {
            const validity = await question.validate(uid);
            return validity === true
              ? session.check((copy) => addComponent(copy, { uid, attributes: [] }))
              : validity;
          },
        }),
    },
  };
  const form = createForm(wizard, fields, ({ uid }) => (uid === undefined ? null : labelOf(uid)));
  await form.fill();
  const describe = (): Review => ({ summary: form.summary(), actions: form.edits() });
  if (wizard === null || given.shorthands !== undefined) {
    if (wizard !== null && form.hasAsked()) await review(wizard, describe);
    const attributes = (given.shorthands ?? []).map(parseAttributeShorthand);
    return { ...form.values(), attributes, newTypes: [] };
  }
  const chosen = await askForAttributes(wizard, {
    session,
    subject: () => {
      const { uid } = form.values();
      const { name } = parseComponentName(uid);
      return { uid, name, label: labelOf(uid), kind: 'component', localized: false, attributes: [] };
    },
    apply: async (edits, { attributes, newTypes }) =>
      addComponent(await addTypes(edits, newTypes), { ...form.values(), attributes }),
    review: describe,
  });
  return { ...form.values(), ...chosen };
}
