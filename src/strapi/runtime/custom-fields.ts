import { isRecord } from '../../lib/is-record.js';

/** A custom field that project code has registered: what it is called, and the type it is stored as. */
interface CustomField {
  readonly name: string;
  readonly plugin?: string;
  readonly type: string;
}

export interface CustomFields {
  readonly register: (field: unknown) => void;
  readonly getAll: () => Readonly<Record<string, CustomField>>;
  readonly get: (uid: string) => CustomField | undefined;
}

const isCustomField = (value: unknown): value is CustomField =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';

/** Creates the list of custom fields, which attributes of schema files refer to by their uids. */
export function createCustomFields(): CustomFields {
  const fields: Record<string, CustomField> = {};
  return {
    register: (registered) => {
      for (const field of [registered].flat()) {
        if (!isCustomField(field)) throw new TypeError('A custom field needs a name and a type.');
        fields[`${field.plugin === undefined ? 'global::' : `plugin::${field.plugin}.`}${field.name}`] =
          field;
      }
    },
    getAll: () => fields,
    get: (uid) => fields[uid],
  };
}
