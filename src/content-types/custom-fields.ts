/** Custom fields whose base type is known from the plugins that register them. */
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

const EDITOR = /editor|tiptap|tinymce|quill|wysiwyg|markdown/i;

export interface CustomFieldBase {
  readonly type: string;
  /** False where nothing tells the base type and text is assumed. */
  readonly known: boolean;
}

/** The attribute type a custom field acts as. */
export function customFieldBase(customField: string): CustomFieldBase {
  const type = Object.hasOwn(BASE_TYPES, customField) ? BASE_TYPES[customField] : undefined;
  if (type !== undefined) return { type, known: true };
  return { type: EDITOR.test(customField) ? 'richtext' : 'string', known: false };
}
