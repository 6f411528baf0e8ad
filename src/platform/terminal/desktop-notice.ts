/**
 * The command line that shows a notice on the desktop. Title and text are arguments of their own: a task's title must
 * not become a part of a script.
 */
export function desktopNotice(title: string, text: string): string[] {
  if (process.platform === 'darwin') return ['osascript', ...APPLE_SCRIPT, title, text]
  // There the text is markup.
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return ['notify-send', '--app-name=gza', '--', title, escaped]
}

const APPLE_SCRIPT = [
  ...['-e', 'on run argv'],
  ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
  ...['-e', 'end run'],
]
