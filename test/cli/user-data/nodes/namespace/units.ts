/** What a unit of systemd runs, as far as user data says it. */
export interface UnitCommands {
  /** Before the service itself. */
  readonly before: readonly string[];
  /** Absent where the image brings the service, and user data only a drop-in. */
  readonly start: string | undefined;
  readonly environment: readonly string[];
}

/** Reads a unit and its drop-ins in order: an empty ExecStart takes away those before it (systemd.service(5)). Pure. */
export function unitCommands(text: string): UnitCommands {
  const all = [...text.matchAll(/^(ExecStartPre|ExecStart|Environment)=(.*)$/gm)];
  const of = (name: string): readonly string[] => {
    const values = all.filter((one) => one[1] === name).map((one) => one[2] ?? '');
    return values.slice(values.lastIndexOf('') + 1);
  };
  return { before: of('ExecStartPre'), start: of('ExecStart').at(-1), environment: of('Environment') };
}
