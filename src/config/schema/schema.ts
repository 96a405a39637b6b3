import { z } from 'zod';

import { faultOfLabelKey, faultOfLabelValue, faultOfName } from './label-syntax.ts';
import { didYouMean } from './suggestion.ts';

/** The version of all our own kinds. */
export const apiVersion = 'fleetwright.dev/v1alpha1';

/** An object of just these keys. For others the issue's message is the list of known keys; see knownKeysOf. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(' ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : undefined),
  });
}

/** The keys that the schema knows where it found others. */
export function knownKeysOf(issue: z.core.$ZodIssueUnrecognizedKeys): readonly string[] {
  return issue.message.split(' ');
}

/** A schema of one of the words; a mistyped one is told the nearest. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) =>
      typeof issue.input === 'string'
        ? `${JSON.stringify(issue.input)} is none of ${words.join(', ')}${didYouMean(issue.input, words)}`
        : `must be one of ${words.join(', ')}`,
  });
}

/** Text that a syntax check accepts; the check tells what is wrong. */
export function checkedText(faultOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = faultOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

export const nameSchema = checkedText((text) => faultOfName(text));
/** A cluster's name is also the name of a folder and a part of labels. */
export const clusterNameSchema = checkedText((text) => faultOfName(text, 63));
export const nonEmpty = z.string().min(1, 'must not be empty');

/** A map of labels with the syntax of Kubernetes. */
export const labelsSchema = z.record(z.string(), z.string()).superRefine((labels, context) => {
  for (const [key, value] of Object.entries(labels)) {
    for (const message of [faultOfLabelKey(key), faultOfLabelValue(value)]) {
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: [key] });
    }
  }
});

export const annotationsSchema = z.record(z.string(), z.string()).superRefine((annotations, context) => {
  for (const key of Object.keys(annotations)) {
    const message = faultOfLabelKey(key);
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [key] });
  }
});
