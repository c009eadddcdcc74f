import { FIELD_TYPES } from '../../../model/fields/registry.js';
import type { ContentType, ScalarAttribute } from '../../../model/model.js';

const textAttribute = (name: string): ScalarAttribute => ({
  family: 'scalar',
  type: 'string',
  name,
  field: FIELD_TYPES.string,
  required: false,
  writable: true,
  private: false,
  localized: true,
  configurable: false,
  customField: null,
  pluginOptions: {},
  constraints: { required: false, unique: false },
  default: undefined,
  isIndexed: false,
  isSearched: false,
  column: { name, field: name, kind: 'text' },
});

/**
 * The locales in the form of a content-type. They are not stored as documents, but are queried, filtered and
 * sorted in the same way.
 */
export const LOCALE_TYPE: ContentType = Object.freeze({
  uid: 'plugin::i18n.locale',
  kind: 'collectionType',
  origin: 'builtin',
  singularName: 'locale',
  pluralName: 'locales',
  displayName: 'Locale',
  description: '',
  typeName: 'I18NLocale',
  collectionName: 'i18n_locale',
  draftAndPublish: false,
  localized: false,
  attributes: { name: textAttribute('name'), code: textAttribute('code') },
  privateFields: [],
  ignoredAttributes: [],
  indexes: [],
  search: null,
  pluginOptions: {},
  options: {},
  storage: { document: { table: '', model: '' }, version: { table: '', model: '' } },
  file: null,
});
