import { shellWord } from '../../shared/base/shell-words.ts';

/** A command that acts in the region that was examined, where the terminal may have another one. */
export const inRegion = (command: string, region: string): string =>
  command
    .split(' && ')
    .map((part) => {
      if (part.startsWith('drover ')) return `AWS_REGION=${shellWord(region)} ${part}`;
      return /^(?:aws|npx --no -- serverless) /.test(part) ? `${part} --region ${shellWord(region)}` : part;
    })
    .join(' && ');
