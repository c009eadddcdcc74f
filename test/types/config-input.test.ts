import { expectTypeOf, it } from 'vitest';
import type { ConfigInput } from '../../src/config/config.js';
import type { SettingKey, SettingValue } from '../../src/config/settings.js';

type Value = string | number | boolean | readonly unknown[];

/** The paths of a section's keys, such as `server.port`. */
type PathsOf<Section> = {
  [Key in keyof Section & string]-?: [Extract<NonNullable<Section[Key]>, Value>] extends [never]
    ? string extends keyof NonNullable<Section[Key]>
      ? Key
      : `${Key}.${PathsOf<NonNullable<Section[Key]>>}`
    : Key;
}[keyof Section & string];

type ValueAt<Section, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? ValueAt<NonNullable<Section[Key & keyof Section]>, Rest>
  : NonNullable<Section[Path & keyof Section]>;

/** The settings whose values have another type in ConfigInput. */
type Mismatch = {
  [Key in SettingKey]: [SettingValue<Key>, ValueAt<ConfigInput, Key>] extends [
    ValueAt<ConfigInput, Key>,
    SettingValue<Key>,
  ]
    ? never
    : Key;
}[SettingKey];

it('ConfigInput has exactly the keys of the settings', () => {
  expectTypeOf<PathsOf<Omit<ConfigInput, 'plugins'>>>().toEqualTypeOf<SettingKey>();
});

it('ConfigInput has the types of the settings', () => {
  expectTypeOf<Mismatch>().toEqualTypeOf<never>();
});
