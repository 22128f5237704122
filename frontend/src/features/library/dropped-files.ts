/** The files of a drop, folders opened. */

const MAX_FILES = 2_000

async function readFolder(folder: FileSystemDirectoryEntry, found: File[]): Promise<void> {
  const reader = folder.createReader()
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return
    for (const entry of entries) await readEntry(entry, found)
  }
}

async function readEntry(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (found.length >= MAX_FILES || entry.name.startsWith('.')) return
  if (entry.isDirectory) await readFolder(entry as FileSystemDirectoryEntry, found)
  else found.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)))
}

export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries must be taken before the first await: the browser empties the transfer after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const found: File[] = []
  for (const entry of entries) await readEntry(entry, found)
  return found
}
