/** The API of OpenTelemetry, as a project has it. */
export type OpenTelemetry = typeof import('@opentelemetry/api');
