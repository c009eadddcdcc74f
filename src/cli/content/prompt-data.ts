import { isFileAttribute } from '../../query/populate-all.js';
import { componentOf } from '../../model/lookup.js';
import type {
  Attribute,
  ComponentAttribute,
  ContentSchema,
  DynamicZoneAttribute,
} from '../../model/model.js';
import { promptConfirm } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { promptLinks } from './prompt-links.js';
import { promptScalar } from './prompt-scalar.js';
import type { DataPromptContext } from './prompt-scalar.js';

type Data = Readonly<Record<string, unknown>>;

const isAsked = (attribute: Attribute): boolean =>
  attribute.type === 'password' || attribute.private || isFileAttribute(attribute);

const promptComponent = async (
  prompter: Prompter,
  attribute: ComponentAttribute,
  context: DataPromptContext,
): Promise<unknown> => {
  const schema = componentOf(context.store.model, attribute.component);
  const { label } = context;
  if (!attribute.repeatable)
    return (await promptConfirm(prompter, `${label}: fill it in?`, attribute.required))
      ? promptData(prompter, schema, context)
      : undefined;
  const items: Data[] = [];
  while (await promptConfirm(prompter, `${label}: add ${items.length === 0 ? 'an item' : 'another'}?`, false))
    items.push(await promptData(prompter, schema, { ...context, label: `${label}.${items.length}` }));
  return items.length === 0 ? undefined : items;
};

/** Asks which components a zone has, one after the other. */
const promptZone = async (
  prompter: Prompter,
  attribute: DynamicZoneAttribute,
  context: DataPromptContext,
): Promise<unknown> => {
  const { model } = context.store;
  const { label } = context;
  const items: Data[] = [];
  for (;;) {
    const uid = await prompter((prompts, screen) =>
      prompts.select(
        {
          message: `${label}: add a component`,
          choices: [
            { value: '', name: items.length === 0 ? 'None' : 'No more' },
            ...attribute.components.map((value) => ({
              value,
              name: componentOf(model, value).displayName,
              description: value,
            })),
          ],
        },
        screen,
      ),
    );
    if (uid === '') return items.length === 0 ? undefined : items;
    const at = { ...context, label: `${label}.${items.length}` };
    items.push({ __component: uid, ...(await promptData(prompter, componentOf(model, uid), at)) });
  }
};

const promptAttribute = (
  prompter: Prompter,
  attribute: Attribute,
  context: DataPromptContext,
): Promise<unknown> => {
  if (attribute.family === 'component') return promptComponent(prompter, attribute, context);
  if (attribute.family === 'dynamiczone') return promptZone(prompter, attribute, context);
  if (attribute.family === 'scalar') return promptScalar(prompter, attribute, context);
  return promptLinks(prompter, attribute, context);
};

/**
 * Asks for the values of a type or component, attribute by attribute. Those that are left empty are left out.
 * Each answer is checked as it is written.
 */
export async function promptData(
  prompter: Prompter,
  schema: ContentSchema,
  context: DataPromptContext,
): Promise<Data> {
  const data: Record<string, unknown> = {};
  for (const attribute of Object.values(schema.attributes).filter(isAsked)) {
    const label = context.label === '' ? attribute.name : `${context.label}.${attribute.name}`;
    const value = await promptAttribute(prompter, attribute, { ...context, label });
    if (value !== undefined) data[attribute.name] = value;
  }
  return data;
}
