import { flagOr, matching, section, text } from './checks.js';
import type { Check } from './checks.js';

/** True if metrics are served, or the path and the token of the endpoint. */
export type MetricsSetting = boolean | { readonly path?: string; readonly token?: string };

/** The endpoint of the metrics. If the token is empty, anybody can read them. */
export interface MetricsConfig {
  readonly path: string;
  readonly token: string;
}

const places = section({
  path: matching(/^(?:\/[\w-]+)+$/, 'a path such as /metrics'),
  token: text,
});

/** The check of the setting `metrics`. */
export const metrics = flagOr(places) as Check<MetricsSetting>;

export function metricsOf(setting: MetricsSetting): MetricsConfig | null {
  if (setting === false) return null;
  const { path = '/metrics', token = '' } = setting === true ? {} : setting;
  return { path, token };
}
