/** By its name: the class would load the schemas of every setting with each command. */
export const isConfigError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ConfigError';

/** The flags of the settings that people forget. Every command that needs the setting has its flag. */
const flagsOfSettings = {
  DROVER_CLUSTER: '--cluster',
  AWS_REGION: '--region',
  DROVER_ETCD_ZONE_ID: '--zone',
};

/** What to do about an error of the settings: `give --cluster and --region`. Undefined if no flag provides what is missing. Pure. */
export function flagsToGive(error: unknown): string | undefined {
  if (!isConfigError(error)) return undefined;
  const flags = Object.entries(flagsOfSettings)
    .filter(([name]) => error.message.includes(`${name} is not set`))
    .map(([, flag]) => flag);
  return flags.length > 0 ? `give ${flags.join(' and ')}` : undefined;
}
