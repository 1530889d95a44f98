/** Replaces the SDK's search for credentials, about 100 KB: functions pass theirs to each client. */
export const defaultProvider = () => (): never => {
  throw new Error('a function passes its credentials to each client: see shared/aws/client-settings.ts');
};
