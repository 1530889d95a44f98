import { malformedVariables } from '../../shared/runtime/config.ts';
import type { FunctionEnvironment, Serverless } from './osls.ts';

/**
 * The values of a stage that functions would refuse at every invocation, while the instances that leave wait in vain: each with what is
 * allowed. A value may be shown, because the file of the stage is committed. Pure.
 */
export function refusedValues({
  provider,
  functions = {},
}: Pick<Serverless['service'], 'provider' | 'functions'>): readonly string[] {
  const refused = Object.values(functions).flatMap((one) => {
    const environment = textsOf({ ...provider.environment, ...one.environment });
    return malformedVariables(environment).map(
      ({ name, allowed }) => `${name} is ${environment[name]}: it takes ${allowed}`,
    );
  });
  return [...new Set(refused)];
}

const textsOf = (environment: FunctionEnvironment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, String(value)]]
        : [],
    ),
  );
