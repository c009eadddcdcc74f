import { isFileAttribute } from '../../query/parse/server-queries.js';
import { componentOf } from '../../model/lookup.js';
import { isRecord, withoutUndefined } from '../../lib/records.js';
import type {
  Attribute,
  ComponentAttribute,
  ContentSchema,
  DynamicZoneAttribute,
} from '../../model/model.js';
import { isRequiredIfShown, isShown } from '../../documents/validation/attribute-state.js';
import { runForm } from '../prompts/wizard.js';
import type { FormField, Wizard } from '../prompts/wizard.js';
import { askConfirm, askSelect, validateWith } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { cutText } from '../terminal/text-layout.js';
import { promptLinks, promptScalar } from './prompt-value.js';
import type { DataPromptContext } from './prompt-value.js';
import { printValue } from './print-value.js';

type Data = Readonly<Record<string, unknown>>;
type AttributeContext = Omit<DataPromptContext, 'isRequired'>;

const isAsked = (attribute: Attribute): boolean =>
  attribute.type === 'password' || attribute.private || isFileAttribute(attribute);

/** True if the user must enter a value. A missing uid is generated, and a default applies. */
const isNeeded = (attribute: Attribute, { publishes }: AttributeContext): boolean => {
  if (!publishes || !isRequiredIfShown(attribute)) return false;
  return attribute.family !== 'scalar' || (attribute.default === undefined && attribute.type !== 'uid');
};

/**
 * Returns the attributes to ask for. Those that a condition reads come before the attribute with the
 * condition.
 */
const askedAttributes = ({ attributes }: ContentSchema): readonly Attribute[] => {
  const ordered = new Set<Attribute>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    const attribute = attributes[name];
    if (attribute === undefined || !isAsked(attribute) || visited.has(name)) return;
    visited.add(name);
    attribute.condition?.reads.forEach(visit);
    ordered.add(attribute);
  };
  Object.keys(attributes).forEach(visit);
  return [...ordered];
};

/** True if the answers so far meet the condition of an attribute. */
const isShownBeside = (schema: ContentSchema, attribute: Attribute, data: Data): boolean =>
  isShown(schema, attribute, { sent: (name) => data[name], stored: () => undefined });

const itemsOf = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const ADD = 'add ';
const EDIT = 'edit ';
const REMOVE = 'remove ';

interface ItemPrompts {
  readonly message: string;
  /** The components that can be added. */
  readonly additions: readonly { readonly uid: string; readonly name: string }[];
  readonly min: number;
  readonly ask: (uid: string, index: number, present: Data) => Promise<Data>;
  readonly uidOf: (item: Data) => string;
}

/** Asks for a list of components, one after the other, until it is long enough and the user adds no more. */
const promptItems = async (
  prompter: Prompter,
  { message, additions, min, ask, uidOf }: ItemPrompts,
  present: readonly Data[],
): Promise<readonly Data[] | undefined> => {
  let items = present;
  for (;;) {
    const isEnough = items.length >= min;
    const choice = await askSelect(prompter, {
      message: isEnough ? message : `${message} *`,
      choices: [
        ...(isEnough ? [{ value: '', name: items.length === 0 ? 'None' : 'No more' }] : []),
        ...additions.map(({ uid, name }) => ({ value: ADD + uid, name, description: uid })),
        ...items.flatMap((item, index) => [
          { value: `${EDIT}${index}`, name: `Edit ${index}`, description: uidOf(item) },
          { value: `${REMOVE}${index}`, name: `Remove ${index}`, description: uidOf(item) },
        ]),
      ],
    });
    if (choice === '') return items.length === 0 ? undefined : items;
    if (choice.startsWith(ADD)) {
      items = [...items, await ask(choice.slice(ADD.length), items.length, {})];
      continue;
    }
    const index = Number(choice.slice(choice.indexOf(' ') + 1));
    const item = items[index] ?? {};
    const changed = choice.startsWith(EDIT) ? [await ask(uidOf(item), index, item)] : [];
    items = items.toSpliced(index, 1, ...changed);
  }
};

const promptComponent = async (
  prompter: Prompter,
  attribute: ComponentAttribute,
  context: DataPromptContext,
  present: unknown,
): Promise<unknown> => {
  const { label, isRequired } = context;
  const schema = componentOf(context.store.model, attribute.component);
  if (attribute.repeatable)
    return promptItems(
      prompter,
      {
        message: `${label}: add an item`,
        additions: [{ uid: schema.uid, name: schema.displayName }],
        min: attribute.min ?? Number(isRequired),
        ask: (_uid, index, item) =>
          promptData(prompter, schema, { ...context, label: `${label}.${index}` }, item),
        uidOf: () => schema.uid,
      },
      itemsOf(present),
    );
  const isFilled =
    isRequired ||
    (await askConfirm(prompter, `${label}: fill it in?`, isRequiredIfShown(attribute) || isRecord(present)));
  return isFilled ? promptData(prompter, schema, context, isRecord(present) ? present : {}) : undefined;
};

/** Asks for the components of a zone, one after the other. */
const promptZone = (
  prompter: Prompter,
  attribute: DynamicZoneAttribute,
  context: DataPromptContext,
  present: unknown,
): Promise<unknown> => {
  const { model } = context.store;
  const { label, isRequired } = context;
  return promptItems(
    prompter,
    {
      message: `${label}: add a component`,
      additions: attribute.components.map((uid) => ({ uid, name: componentOf(model, uid).displayName })),
      min: attribute.min ?? Number(isRequired),
      ask: async (uid, index, item) => ({
        __component: uid,
        ...(await promptData(
          prompter,
          componentOf(model, uid),
          { ...context, label: `${label}.${index}` },
          item,
        )),
      }),
      uidOf: (item) => String(item['__component']),
    },
    itemsOf(present),
  );
};

const promptAttribute = (
  prompter: Prompter,
  attribute: Attribute,
  { label: place, ...others }: AttributeContext,
  present: unknown,
): Promise<unknown> => {
  const label = place === '' ? attribute.name : `${place}.${attribute.name}`;
  const context = { ...others, label, isRequired: isNeeded(attribute, { label, ...others }) };
  if (attribute.family === 'component') return promptComponent(prompter, attribute, context, present);
  if (attribute.family === 'dynamiczone') return promptZone(prompter, attribute, context, present);
  if (attribute.family === 'scalar') return promptScalar(prompter, attribute, context, present);
  return promptLinks(prompter, attribute, context, present);
};

/**
 * Asks for the values of a component, attribute by attribute. Empty and hidden attributes are skipped. Each
 * answer is validated like a write.
 */
const promptData = async (
  prompter: Prompter,
  schema: ContentSchema,
  context: AttributeContext,
  present: Data,
): Promise<Data> => {
  const data: Record<string, unknown> = {};
  for (const attribute of askedAttributes(schema))
    if (isShownBeside(schema, attribute, data))
      data[attribute.name] = await promptAttribute(prompter, attribute, context, present[attribute.name]);
  return withoutUndefined(data);
};

const SHOWN = 60;

const printAnswer = (attribute: Attribute, value: unknown): string | null => {
  if (value === undefined) return null;
  return attribute.type === 'password' ? '***' : cutText(printValue(value).replaceAll('\n', ' '), SHOWN);
};

/**
 * Asks for the values of a document, attribute by attribute, and shows them for review. Empty and hidden
 * attributes are skipped.
 *
 * @param tryWrite throws if the document cannot be written
 */
export async function promptDocument(
  wizard: Wizard,
  context: Omit<AttributeContext, 'label'>,
  tryWrite: (data: Data) => Promise<unknown>,
): Promise<Data> {
  const { type } = context;
  const fieldOf = (attribute: Attribute): FormField<unknown, Data> => ({
    name: attribute.name,
    label: attribute.name,
    when: (values) => isShownBeside(type, attribute, values),
    ask: (prompter, { initial }) => promptAttribute(prompter, attribute, { ...context, label: '' }, initial),
    print: (value) => printAnswer(attribute, value),
  });
  const attributes = askedAttributes(type);
  const data = await runForm<Record<string, unknown>>(
    wizard,
    Object.fromEntries(attributes.map((attribute) => [attribute.name, fieldOf(attribute)])),
    (values) => {
      const names = Object.keys(withoutUndefined(values));
      return `a new ${type.singularName}${names.length === 0 ? '' : ` with ${names.join(', ')}`}`;
    },
    (values) => validateWith(() => tryWrite(withoutUndefined(values))),
  );
  return withoutUndefined(data);
}
