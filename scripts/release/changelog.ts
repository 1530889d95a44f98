/** Whether a changelog says what a version changes: `## 1.2.0`, or `## 1.2.0 (a date)`. Pure. */
export const hasVersion = (changelog: string, version: string): boolean =>
  changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
