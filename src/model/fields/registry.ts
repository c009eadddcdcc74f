import { bigintegerField } from './biginteger.js';
import { blocksField } from './blocks.js';
import { booleanField } from './boolean.js';
import { dateField } from './date.js';
import { datetimeField } from './datetime.js';
import { decimalField } from './decimal.js';
import { emailField } from './email.js';
import { enumerationField } from './enumeration.js';
import type { FieldType, ScalarTypeName } from './field-type.js';
import { floatField } from './float.js';
import { integerField } from './integer.js';
import { jsonField } from './json.js';
import { passwordField } from './password.js';
import { richtextField } from './richtext.js';
import { stringField } from './string.js';
import { textField } from './text.js';
import { timeField } from './time.js';
import { timestampField } from './timestamp.js';
import { uidField } from './uid.js';

/** All scalar attribute types, by their names in schema files. */
export const FIELD_TYPES: Readonly<Record<ScalarTypeName, FieldType>> = Object.freeze({
  string: stringField,
  text: textField,
  richtext: richtextField,
  blocks: blocksField,
  email: emailField,
  password: passwordField,
  uid: uidField,
  enumeration: enumerationField,
  integer: integerField,
  biginteger: bigintegerField,
  float: floatField,
  decimal: decimalField,
  boolean: booleanField,
  date: dateField,
  time: timeField,
  datetime: datetimeField,
  timestamp: timestampField,
  json: jsonField,
});

export function isScalarTypeName(name: string): name is ScalarTypeName {
  return Object.hasOwn(FIELD_TYPES, name);
}

/** Returns the field type of a name, or undefined. */
export function fieldType(name: string): FieldType | undefined {
  return isScalarTypeName(name) ? FIELD_TYPES[name] : undefined;
}
