/** Base types of the custom fields of well-known plugins. */
const BASE_TYPES: Readonly<Record<string, string>> = {
  'plugin::color-picker.color': 'string',
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::multi-select.multi-select': 'json',
  'plugin::country-select.country': 'string',
  'plugin::tagsinput.tags': 'json',
  'plugin::oembed.oembed': 'json',
  'plugin::react-icons.icon': 'string',
};

const RICH_TEXT_PATTERN = /editor|tiptap|tinymce|quill|wysiwyg|markdown/i;

export interface CustomFieldBase {
  readonly type: string;
  /** False: the base type is unknown and assumed to be text. */
  readonly isKnown: boolean;
}

/** Returns the attribute type that a custom field acts as. */
export function customFieldBase(customField: string): CustomFieldBase {
  const type = Object.hasOwn(BASE_TYPES, customField) ? BASE_TYPES[customField] : undefined;
  if (type !== undefined) return { type, isKnown: true };
  return { type: RICH_TEXT_PATTERN.test(customField) ? 'richtext' : 'string', isKnown: false };
}
