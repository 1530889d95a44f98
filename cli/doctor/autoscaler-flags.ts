/** The flags of cluster-autoscaler that are about its groups. */
export interface AutoscalerFlags {
  /** `--nodes=MIN:MAX:NAME`: bounds of its own. */
  readonly staticGroups: readonly { readonly min: number; readonly max: number; readonly name: string }[];
  /** `--node-group-auto-discovery=asg:tag=KEY,KEY=VALUE`: a group needs each tag of one list. */
  readonly discoveries: readonly (readonly { readonly key: string; readonly value?: string }[])[];
  readonly balancesSimilarGroups: boolean;
}

/** Reads the command and the arguments of its container. Flags that are given as two words count too. Pure. */
export function readAutoscalerFlags(words: readonly string[]): AutoscalerFlags {
  const valuesOf = (name: string): readonly string[] =>
    words.flatMap((word, index) => {
      const [flag, ...rest] = word.replace(/^--?/, '').split('=');
      if (!word.startsWith('-') || flag !== name) return [];
      return [rest.length > 0 ? rest.join('=') : (words[index + 1] ?? '')];
    });
  const balancing = words.findLast((word) => /^--?balance-similar-node-groups(?:=|$)/.test(word));
  return {
    staticGroups: valuesOf('nodes').flatMap((value) => {
      const parts = /^(\d+):(\d+):(.+)$/.exec(value);
      return parts ? [{ min: Number(parts[1]), max: Number(parts[2]), name: parts[3] ?? '' }] : [];
    }),
    discoveries: valuesOf('node-group-auto-discovery').flatMap((value) => {
      const tags = /^asg:tag=(.+)$/.exec(value)?.[1];
      return tags === undefined ? [] : [tags.split(',').map(readTag)];
    }),
    balancesSimilarGroups: balancing !== undefined && !/=(?:false|f|0)$/i.test(balancing),
  };
}

function readTag(text: string): { readonly key: string; readonly value?: string } {
  const [key = '', ...value] = text.split('=');
  return value.length > 0 ? { key, value: value.join('=') } : { key };
}
