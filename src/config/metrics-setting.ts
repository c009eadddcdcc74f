import { flagOr, matching, section, text } from './checks.js';
import type { Check } from './checks.js';

/** Whether figures are given, or where and to whom. */
export type MetricsSetting = boolean | { readonly path?: string; readonly token?: string };

/** Where figures are given. An empty token: to anybody. */
export interface MetricsConfig {
  readonly path: string;
  readonly token: string;
}

const places = section({
  path: matching(/^(?:\/[\w-]+)+$/, 'a path such as /metrics'),
  token: text,
});

/** What `metrics` allows. */
export const metrics = flagOr(places) as Check<MetricsSetting>;

export function metricsOf(setting: MetricsSetting): MetricsConfig | null {
  if (setting === false) return null;
  const { path = '/metrics', token = '' } = setting === true ? {} : setting;
  return { path, token };
}
