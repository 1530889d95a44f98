import type { Account } from './account.ts';
import type { FunctionWiring } from './wiring.ts';

/** The log groups of the functions, which the stack makes; each line of a function goes to its own. */
export function keepLogs({ logs }: Pick<Account, 'logs'>, functions: readonly FunctionWiring[]) {
  const groups = new Map(functions.map(({ name, functionName }) => [name, `/aws/lambda/${functionName}`]));
  for (const logGroupName of groups.values()) logs.controls.createLogGroup(logGroupName);
  return {
    onLine: (name: string, line: string): void => {
      const logGroupName = groups.get(name);
      if (logGroupName !== undefined) logs.controls.write(logGroupName, line);
    },
  };
}
