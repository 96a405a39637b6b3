/** What a reader can paste to let a hold through. `settingsPath` is what the command that shows it was given. */
export function approveCommand(holdId: string, settingsPath: string | undefined): string {
  return `fleetwright approve ${holdId}${settingsOption(settingsPath)}`;
}

/** ' -c PATH', quoted for a POSIX shell where it must be; '' where the default settings are meant. */
export function settingsOption(settingsPath: string | undefined): string {
  return settingsPath === undefined ? '' : ` -c ${shellWord(settingsPath)}`;
}

function shellWord(text: string): string {
  return /^[\w./@%+:,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
